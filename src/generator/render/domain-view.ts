import type { Feature } from '../model/model.ts'
import type { Forward, Many } from '../model/relations.ts'
import type { FieldView } from './field-view.ts'
import type { ListView } from './list-view.ts'
import { literal } from './literal.ts'
import { partsOf, type Relations } from './relation-view.ts'

/** Template data: domain types of one feature (record, draft, changes, filter). */
export interface DomainView {
  /** Imports of record types that this feature's records embed, and of the type of its filters. */
  partTypes: readonly { clause: string; kebab: string }[]
  members: readonly Member[]
  /** Lists of embedded records that `find` returns with the record. */
  partLists: readonly Member[]
  /** The type that `find` returns. */
  detailsType: string
  draftType: string
  /** Type arguments of the port, and named imports for them. */
  portArguments: string
  portTypes: string
  serviceTypes: string
  /** Conditions of a list that the use-case sets, and no query parameter. */
  ownFilters: readonly { camel: string; tsType: string; note: string }[]
}

interface Member {
  camel: string
  tsType: string
  note: string
}

export function domainView(
  feature: Feature,
  fields: readonly FieldView[],
  relations: Relations,
  list: ListView,
  isPrivate: boolean,
): DomainView {
  const isNarrowed = list.filters.length > 0
  const { type, pascal } = feature.entity
  const { forward, many, children, owner } = relations
  const partType = partTypeIn(feature)
  const detailsType = children.length > 0 ? `${pascal}Details` : type
  const isPlain = !(isNarrowed || children.length > 0 || owner)
  const used = [type, detailsType, ...(isNarrowed ? [`${pascal}Filter`] : [])]
  const draft = owner
    ? `${pascal}Draft & Pick<${type}, ${literal(owner.field.camel)}>`
    : `${pascal}Draft`
  const portArguments = [
    type,
    draft,
    isNarrowed ? `${pascal}Filter` : 'unknown',
    ...(children.length > 0 ? [detailsType] : []),
  ]
  return {
    partTypes: [
      ...partsOf(feature, relations).map(({ entity }) => ({
        clause:
          partType(entity.type) === entity.type
            ? entity.type
            : `${entity.type} as ${partType(entity.type)}`,
        kebab: entity.kebab,
      })),
      ...(list.hasRanges ? [{ clause: 'ValueRange', kebab: 'value-range' }] : []),
    ],
    members: [
      ...fields.flatMap((field) => [
        { camel: field.camel, tsType: field.tsType, note: field.note },
        ...forward.filter((key) => key.field.name === field.name).map(summary),
      ]),
      ...many.map(({ field, target }) => ({
        camel: field.camel,
        tsType: `${partType(target.entity.type)}[]`,
        note: '',
      })),
    ],
    partLists: children.flatMap(({ camel, child, by, total }) => [
      {
        camel,
        tsType: `Omit<${partType(child.entity.type)}, ${literal(by.camel)}>[]`,
        note: `The newest ${child.entity.plural.words}, sorted from oldest to newest.`,
      },
      {
        camel: total.camel,
        tsType: 'number',
        note: `The number of all ${child.entity.plural.words}.`,
      },
    ]),
    detailsType,
    draftType: draftType(feature, relations),
    portArguments: isPlain ? type : portArguments.join(', '),
    portTypes: unique(isPlain ? [type] : [...used, `${pascal}Draft`]),
    ownFilters: isPrivate
      ? [{ camel: 'visibleTo', tsType: 'number', note: 'Only records that this user may see.' }]
      : [],
    serviceTypes: unique([...used, `${pascal}Changes`, `${pascal}Draft`]),
  }
}

function unique(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}

/**
 * Returns a function that names embedded types. An entity called `PostDraft` becomes `PostDraftRecord` inside the
 * file of Post, which declares its own `PostDraft`.
 */
function partTypeIn({ entity: { pascal } }: Feature) {
  const own = ['Draft', 'Changes', 'Filter', 'Details'].map((suffix) => pascal + suffix)
  return (type: string) => (own.includes(type) ? `${type}Record` : type)
}

function summary({ camel, label, field }: Forward): Member {
  const members = label ? `id: number; ${label.camel}: string` : 'id: number'
  return { camel, tsType: `{ ${members} }${field.optional ? ' | null' : ''}`, note: '' }
}

function draftType({ entity }: Feature, { forward, many, owner }: Relations): string {
  const omitted = [
    'id',
    'createdAt',
    'updatedAt',
    ...(owner ? [owner.field.camel] : []),
    ...forward.map(({ camel }) => camel),
    ...many.map(({ field }) => field.camel),
  ]
  const fields = `Omit<${entity.type}, ${omitted.map(literal).join(' | ')}>`
  if (many.length === 0) return fields
  return `${fields} & {\n${many.map(keysMember).join('')}}`
}

function keysMember({ field, key }: Many): string {
  const note = key === 'slug' ? 'Slugs.' : 'Ids.'
  return `/** ${note} */\n${field.camel}: readonly ${keyType[key]}[]\n`
}

export const keyType = { slug: 'string', id: 'number' } as const

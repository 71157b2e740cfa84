import type { Feature } from '../model/model.ts'
import type { Forward, Many } from '../model/relations.ts'
import type { FieldView } from './field-view.ts'
import { literal } from './literal.ts'
import { partsOf, type Relations } from './relation-view.ts'

/** The types of one feature: the record, and what is given, changed and asked for. */
export interface DomainView {
  /** Imports of the types that records hold whole. */
  partTypes: readonly { clause: string; kebab: string }[]
  members: readonly Member[]
  /** The lists that are read with one record alone. */
  partLists: readonly Member[]
  /** The type of a record that is read alone. */
  detailsType: string
  draftType: string
  /** The type arguments of the port, and what it imports for them. */
  portArguments: string
  portTypes: string
  serviceTypes: string
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
  isNarrowed: boolean,
): DomainView {
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
    partTypes: partsOf(feature, relations).map(({ entity }) => ({
      clause:
        partType(entity.type) === entity.type
          ? entity.type
          : `${entity.type} as ${partType(entity.type)}`,
      kebab: entity.kebab,
    })),
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
    partLists: children.map(({ camel, child }) => ({
      camel,
      tsType: `${partType(child.entity.type)}[]`,
      note: '',
    })),
    detailsType,
    draftType: draftType(feature, relations),
    portArguments: isPlain ? type : portArguments.join(', '),
    portTypes: unique(isPlain ? [type] : [...used, `${pascal}Draft`]),
    serviceTypes: unique([...used, `${pascal}Changes`, `${pascal}Draft`]),
  }
}

function unique(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}

/** `PostDraft` is also what the file of Post calls its own. */
function partTypeIn({ entity: { pascal } }: Feature) {
  const own = ['Draft', 'Changes', 'Filter', 'Details'].map((suffix) => pascal + suffix)
  return (type: string) => (own.includes(type) ? `${type}Record` : type)
}

function summary({ camel, label, field }: Forward): Member {
  const members = label ? `id: number; ${label.camel}: string` : 'id: number'
  return { camel, tsType: `{ ${members} }${field.optional ? ' | null' : ''}`, note: '' }
}

function draftType({ entity }: Feature, { forward, many, owner }: Relations): string {
  const left = [
    'id',
    'createdAt',
    'updatedAt',
    ...(owner ? [owner.field.camel] : []),
    ...forward.map(({ camel }) => camel),
    ...many.map(({ field }) => field.camel),
  ]
  const fields = `Omit<${entity.type}, ${left.map(literal).join(' | ')}>`
  if (many.length === 0) return fields
  return `${fields} & {\n${many.map(given).join('')}}`
}

function given({ field, key }: Many): string {
  const note = key === 'slug' ? 'Slugs.' : 'Ids.'
  return `/** ${note} */\n${field.camel}: readonly ${keyType[key]}[]\n`
}

export const keyType = { slug: 'string', id: 'number' } as const

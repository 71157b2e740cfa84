import type { Feature, Model } from '../model/model.ts'
import type { Many } from '../model/relations.ts'
import { filterFieldsOf, searchColumn } from '../model/relations.ts'
import { keyType } from './domain-view.ts'
import { camelOf, type ListView } from './list-view.ts'
import { literal } from './literal.ts'
import { byName } from './order.ts'
import { detailsFromRow, fromRow, toRow } from './prisma-row.ts'
import { detailsOf, shapeOf } from './prisma-shape.ts'
import { type Relations, relationsOf } from './relation-view.ts'

/** What the adapter of the relational kinds needs. */
export interface PrismaView {
  /** `prisma.<accessor>` */
  accessor: string
  /** Quoted, separated by commas; the longest first, as one may end like another. */
  uniqueColumns: string
  /** Named imports from the domain, from the generated client and from `prisma.ts`. */
  rowTypes: string
  clientTypes: string
  storeHelpers: string
  /** What the queries share. */
  constants: readonly { note: string; name: string; value: string }[]
  /** Arguments of the queries. */
  listArguments: string
  countArguments: string
  findArguments: string
  createArguments: string
  updateArguments: string
  /** Behind the query in `run`: the columns that can be taken, and what tells which reference is not there. */
  createRefusals: string
  updateRefusals: string
  /** The statement that makes the list's condition, or '', and the properties of that. */
  listCondition: string
  searchText: string
  conditions: readonly string[]
  /** Statements that look for what is referred to, and the type of what they read it from. */
  references: readonly string[]
  referenceType: string
  /** Shorthand or expression, as they stand in an object or after `return`. */
  domainRows: string
  domainRow: string
  foundRow: string
  changedRow: string
  /** The functions from what was read to the domain's record, and to the one that is read alone. */
  conversions: readonly Conversion[]
}

interface Conversion {
  name: string
  rowType: string
  type: string
  properties: string
}

export function prismaView(model: Model, feature: Feature, list: ListView): PrismaView {
  const { type, pascal } = feature.entity
  const relations = relationsOf(model, feature)
  const { children } = relations
  const shape = shapeOf(model, feature)
  const details = detailsOf(model, feature)
  const read = fromRow(model, feature, { row: 'row', type })
  const readAlone = detailsFromRow(model, feature, { row: 'row', type: `${pascal}Details` })
  const asRead = children.filter(
    ({ camel }) => !readAlone.some(({ code }) => code.startsWith(`${camel}:`)),
  )
  const written = toRow(feature)
  const references = referencesOf(relations)
  const isNarrowed = list.filters.length > 0
  const converts = read.length > 0
  const convertsDetails = children.length > 0 && (converts || readAlone.length > 0)
  const isShaped = shape.length > 0
  const unique = uniqueColumns(feature)
  const spread = isShaped ? ', ...shape' : ''
  const found = converts || convertsDetails ? (convertsDetails ? 'toDetails' : 'toDomain') : ''
  const helpers = ['newestFirst', 'run', 'runOnExisting', 'skipTake']
  return {
    accessor: accessorOf(feature),
    uniqueColumns: unique,
    rowTypes: [
      ...(converts ? [type] : []),
      ...(convertsDetails ? [`${pascal}Details`] : []),
      ...(isNarrowed ? [`${pascal}Filter`] : []),
    ].join(', '),
    clientTypes: [
      ...(isShaped || details.length > 0 || isNarrowed ? ['Prisma'] : []),
      ...(converts && !isShaped ? [`${type} as Row`] : []),
    ].join(', '),
    storeHelpers: [
      ...new Set([
        ...helpers,
        ...[...read, ...readAlone, ...written].flatMap((conversion) => conversion.helpers),
        ...references.flatMap(({ helper }) => helper),
        ...(feature.search.length > 0 ? ['containing'] : []),
      ]),
    ]
      .sort(byName)
      .join(', '),
    constants: [
      {
        note: 'The columns no two records share a value of.',
        name: 'unique',
        value: unique && `[${unique}]`,
      },
      {
        note: 'What is read of every record.',
        name: 'shape',
        value: shapeArguments(feature, shape.join(', ')),
      },
      {
        note: 'What is read of one alone.',
        name: 'details',
        value: shapeArguments(feature, detailsArguments(shape, details)),
      },
    ].filter(({ value }) => value !== ''),
    listArguments: [
      ...(isNarrowed ? ['where'] : []),
      'orderBy: newestFirst',
      `...skipTake(${list.listParameter})`,
      ...(isShaped ? ['...shape'] : []),
    ].join(', '),
    countArguments: isNarrowed ? '{ where }' : '',
    findArguments: `where: { id }${details.length > 0 ? ', ...details' : spread}`,
    createArguments:
      dataOf([...written.map(({ code }) => code), ...relations.many.map(connected)]) + spread,
    updateArguments:
      dataOf([...written.map(({ code }) => code), ...relations.many.map(replaced)]) + spread,
    ...refusalsOf(unique, references.length > 0),
    listCondition: isNarrowed ? 'const where = matching(query)' : '',
    searchText: feature.search.length > 0 ? 'const text = containing(filter.search)' : '',
    conditions: conditionsOf(feature, relations),
    references: references.map(({ code }) => code),
    referenceType: references.map((each) => each.member).join('; '),
    domainRows: converts ? 'rows: rows.map(toDomain)' : 'rows',
    domainRow: converts ? 'toDomain(row)' : 'row',
    foundRow: found === '' ? 'row ?? undefined' : `row ? ${found}(row) : undefined`,
    changedRow: converts ? 'row && toDomain(row)' : 'row',
    conversions: [
      {
        name: 'toDomain',
        rowType: isShaped ? `Prisma.${type}GetPayload<typeof shape>` : 'Row',
        type,
        properties: converts ? ['...row', ...read.map(({ code }) => code)].join(', ') : '',
      },
      {
        name: 'toDetails',
        rowType: `Prisma.${type}GetPayload<typeof details>`,
        type: `${pascal}Details`,
        properties: convertsDetails
          ? [
              ...(converts
                ? ['...toDomain(row)', ...asRead.map(({ camel }) => `${camel}: row.${camel}`)]
                : ['...row']),
              ...readAlone.map(({ code }) => code),
            ].join(', ')
          : '',
      },
    ].filter(({ properties }) => properties !== ''),
  }
}

function shapeArguments({ entity }: Feature, properties: string): string {
  return properties && `{ ${properties} } satisfies Prisma.${entity.type}DefaultArgs`
}

/** Prisma's name of a model in the client. */
function accessorOf({ entity: { type } }: Feature): string {
  return type.charAt(0).toLowerCase() + type.slice(1)
}

function uniqueColumns({ fields }: Feature): string {
  return fields
    .filter(({ unique }) => unique)
    .map(({ name }) => name)
    .sort((a, b) => b.length - a.length)
    .map(literal)
    .join(', ')
}

function detailsArguments(shape: readonly string[], details: readonly string[]): string {
  if (details.length === 0) return ''
  const hasInclude = shape.some((part) => part.startsWith('include'))
  const include = [...(hasInclude ? ['...shape.include'] : []), ...details].join(', ')
  return [...(shape.length > 0 ? ['...shape'] : []), `include: { ${include} }`].join(', ')
}

function dataOf(changes: readonly string[]): string {
  return changes.length > 0 ? `data: { ...data, ${changes.join(', ')} }` : 'data'
}

function connected({ field: { camel }, key }: Many): string {
  return `${camel}: { connect: data.${camel}.map((${key}) => ({ ${key} })) }`
}

function replaced({ field: { camel }, key }: Many): string {
  return `${camel}: data.${camel} && { set: [], connect: data.${camel}.map((${key}) => ({ ${key} })) }`
}

function conditionsOf(feature: Feature, { many }: Relations): readonly string[] {
  const search = feature.fields.filter(({ name }) => feature.search.includes(name))
  const columns = search.map((field) => `{ ${searchColumn(field).camel}: text }`).join(', ')
  return [
    ...filterFieldsOf(feature).map(({ camel }) => `${camel}: filter.${camel}`),
    ...many.map(({ field, key, filter }) => {
      const value = `filter.${camelOf(filter)}`
      return `${field.camel}: ${value} === undefined ? undefined : { some: { ${key}: ${value} } }`
    }),
    ...(columns === '' ? [] : [`OR: text && [${columns}]`]),
  ]
}

interface Reference {
  readonly code: string
  readonly helper: string
  /** Of the type that the code reads it from. */
  readonly member: string
}

function referencesOf({ forward, many }: Relations): readonly Reference[] {
  return [
    ...forward.map(({ field, target }) => ({
      code: `await assertFound('${target.entity.words}', data.${field.camel}, (where) => prisma.${accessorOf(target)}.count({ where }))`,
      helper: 'assertFound',
      member: `${field.camel}?: number${field.optional ? ' | null' : ''}`,
    })),
    ...many.map(({ field, key, target }) => ({
      code: `await assertKnown('${field.name}', data.${field.camel}, (${key}s) => prisma.${accessorOf(target)}.findMany({ where: { ${key}: { in: ${key}s } }, select: { ${key}: true } }))`,
      helper: 'assertKnown',
      member: `${field.camel}?: readonly ${keyType[key]}[]`,
    })),
  ]
}

/** What a refused write asks. A change of a record that is not there is that, whatever it refers to. */
function refusalsOf(unique: string, refers: boolean) {
  if (!refers) return { createRefusals: unique && ', unique', updateRefusals: unique && ', unique' }
  const columns = unique === '' ? '[]' : 'unique'
  return {
    createRefusals: `, ${columns}, () => assertReferences(data)`,
    updateRefusals: `, ${columns}, async () => {
      if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
    }`,
  }
}

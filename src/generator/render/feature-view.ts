import { variableName } from '../model/identifiers.ts'
import type { EntityNames, Feature, Field } from '../model/model.ts'
import { enumConstant, type FieldView, fieldHelper, fieldView } from './field-view.ts'
import { literal } from './literal.ts'
import { byName } from './order.ts'

/** One feature as the templates see it. */
export interface FeatureView extends EntityNames, PrismaView {
  /** The name of a variable that holds one record. */
  subject: string
  fields: readonly FieldView[]
  enums: readonly { constant: string; values: string }[]
  /** Named imports of the schema from the domain, and from `src/http/fields.ts`. */
  domainImports: string
  fieldHelpers: string
  createShape: string
  replyFields: readonly { name: string; zod: string }[]
  /** Quoted, separated by commas. */
  uniqueFields: string
  sampleUsesN: boolean
  badFields: readonly { name: string; value: string }[]
}

export function featureView(feature: Feature): FeatureView {
  const { entity } = feature
  const subject = variableName(entity.camel)
  const fields = feature.fields.map((field) => fieldView(field, feature, subject))
  const enums = feature.fields.flatMap((field) => enumView(feature, field))
  const helpers = new Set(feature.fields.map(({ type }) => fieldHelper[type.kind]))
  const defaults = fields.filter(({ zodDefault }) => zodDefault !== '')
  return {
    ...entity,
    ...prismaView(feature),
    subject,
    fields,
    enums,
    domainImports: namedImports(entity.type, enums),
    fieldHelpers: [...helpers].filter(Boolean).sort(byName).join(', '),
    createShape: [
      '...fields',
      ...defaults.map(({ name, zodDefault }) => `${name}: fields.${name}${zodDefault}`),
    ].join(', '),
    replyFields: fields.flatMap(({ name, replyZod }) =>
      replyZod ? [{ name, zod: replyZod }] : [],
    ),
    uniqueFields: feature.fields
      .filter(({ unique }) => unique)
      .map(({ camel }) => literal(camel))
      .join(', '),
    sampleUsesN: feature.fields.some(({ type }) => type.kind !== 'enum'),
    badFields: fields.flatMap(({ name, bad }) => (bad ? [{ name, value: bad }] : [])),
  }
}

function namedImports(type: string, constants: readonly { constant: string }[]): string {
  if (constants.length === 0) return `type { ${type} }`
  return `{ ${[...constants.map(({ constant }) => constant), `type ${type}`].join(', ')} }`
}

function enumView(feature: Feature, field: Field) {
  if (field.type.kind !== 'enum') return []
  return [
    { constant: enumConstant(feature, field), values: field.type.values.map(literal).join(', ') },
  ]
}

/** What the adapter of the relational kinds needs: where a column's value is not the domain's. */
interface PrismaView {
  /** `prisma.<accessor>` */
  accessor: string
  /** Quoted, separated by commas; the longest first, as one may end like another. */
  uniqueColumns: string
  converts: boolean
  storeHelpers: string
  /** Shorthand or expression, as they stand in an object or after `return`. */
  domainRows: string
  domainRow: string
  foundRow: string
  changedRow: string
  createData: string
  rowConversions: string
}

function prismaView(feature: Feature): PrismaView {
  const { entity, fields } = feature
  const read = fields.flatMap((field) => fromRow(field, feature))
  const written = fields.flatMap(toRow)
  const helpers = ['newestFirst', 'run', 'runOnExisting', 'skipTake']
  const used = [...read, ...written].flatMap(({ helper }) => (helper ? [helper] : []))
  const converts = read.length > 0
  return {
    accessor: entity.type.charAt(0).toLowerCase() + entity.type.slice(1),
    uniqueColumns: fields
      .filter(({ unique }) => unique)
      .map(({ name }) => name)
      .sort((a, b) => b.length - a.length)
      .map(literal)
      .join(', '),
    converts,
    storeHelpers: [...new Set([...helpers, ...used])].sort(byName).join(', '),
    domainRows: converts ? 'rows: rows.map(toDomain)' : 'rows',
    domainRow: converts ? 'toDomain(row)' : 'row',
    foundRow: converts ? 'row ? toDomain(row) : undefined' : 'row ?? undefined',
    changedRow: converts ? 'row && toDomain(row)' : 'row',
    createData:
      written.length > 0
        ? `data: { ...data, ${written.map(({ code }) => code).join(', ')} }`
        : 'data',
    rowConversions: read.map(({ code }) => code).join(', '),
  }
}

interface Conversion {
  code: string
  helper?: string
}

function fromRow({ type, camel, optional }: Field, { entity }: Feature): Conversion[] {
  const value = `row.${camel}`
  switch (type.kind) {
    case 'decimal':
      return [
        {
          code: `${camel}: ${value}${optional ? '?' : ''}.toFixed(${type.scale})${optional ? ' ?? null' : ''}`,
        },
      ]
    case 'date':
      return [
        {
          code: `${camel}: ${optional ? `${value} && fromDay(${value})` : `fromDay(${value})`}`,
          helper: 'fromDay',
        },
      ]
    // The column is text; only values of the enum were ever written.
    case 'enum':
      return [{ code: `${camel}: ${value} as ${entity.type}['${camel}']` }]
    default:
      return []
  }
}

function toRow({ type, camel, optional }: Field): Conversion[] {
  switch (type.kind) {
    case 'date':
      return [{ code: `${camel}: toDay(data.${camel})`, helper: 'toDay' }]
    case 'json':
      return [jsonToRow(camel, optional ? 'toNullableJson' : 'toJson')]
    default:
      return []
  }
}

function jsonToRow(camel: string, helper: string): Conversion {
  return { code: `${camel}: ${helper}(data.${camel})`, helper }
}

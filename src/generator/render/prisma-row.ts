import { variableName } from '../model/identifiers.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { searchColumn } from '../model/relations.ts'
import { relationsOf } from './relation-view.ts'

/** A property of an object, as `born: toDay(data.born)`, and what it calls of `prisma.ts`. */
export interface Conversion {
  readonly code: string
  readonly helpers: readonly string[]
}

/** The variable that holds what was read, and the type that it has in the domain. */
export interface Read {
  readonly row: string
  readonly type: string
}

/** Where a value of a column, or of a part, is not the domain's. */
export function fromRow(model: Model, feature: Feature, read: Read): readonly Conversion[] {
  const { many } = relationsOf(model, feature)
  return [
    ...feature.fields.flatMap((field) => fieldFromRow(field, read)),
    ...many.flatMap(({ field, target }) => partsFromRow(model, target, field.camel, read)),
  ]
}

/** The same of lists that are read with one record alone. */
export function detailsFromRow(model: Model, feature: Feature, read: Read): readonly Conversion[] {
  return relationsOf(model, feature).children.flatMap(({ camel, child }) =>
    partsFromRow(model, child, camel, read),
  )
}

/** What of a draft is written otherwise; in an update, what is left out stays so. */
export function toRow({ fields, search }: Feature): readonly Conversion[] {
  const searched = fields.filter(({ name }) => search.includes(name))
  return [
    ...fields.flatMap(fieldToRow),
    ...searched.map((field) => ({
      code: `${searchColumn(field).camel}: toSearch(data.${field.camel})`,
      helpers: ['toSearch'],
    })),
  ]
}

function partsFromRow(model: Model, part: Feature, camel: string, read: Read): Conversion[] {
  const row = variableName(part.entity.camel)
  const type = `${read.type}['${camel}'][number]`
  const conversions = fromRow(model, part, { row, type })
  if (conversions.length === 0) return []
  const record = `{ ...${row}, ${conversions.map(({ code }) => code).join(', ')} }`
  return [
    {
      code: `${camel}: ${read.row}.${camel}.map((${row}) => (${record}))`,
      helpers: conversions.flatMap(({ helpers }) => helpers),
    },
  ]
}

function fieldFromRow({ type, camel, optional }: Field, read: Read): Conversion[] {
  const value = `${read.row}.${camel}`
  switch (type.kind) {
    case 'decimal': {
      const fixed = `.toFixed(${type.scale})`
      const code = optional ? `${value}?${fixed} ?? null` : value + fixed
      return [{ code: `${camel}: ${code}`, helpers: [] }]
    }
    case 'date': {
      const day = `fromDay(${value})`
      const code = optional ? `${value} && ${day}` : day
      return [{ code: `${camel}: ${code}`, helpers: ['fromDay'] }]
    }
    // The column is text; only values of the enum were ever written.
    case 'enum':
      return [{ code: `${camel}: ${value} as ${read.type}['${camel}']`, helpers: [] }]
    default:
      return []
  }
}

function fieldToRow({ type, camel, optional }: Field): Conversion[] {
  switch (type.kind) {
    case 'date':
      return [convert(camel, 'toDay')]
    case 'json':
      return [convert(camel, optional ? 'toNullableJson' : 'toJson')]
    default:
      return []
  }
}

function convert(camel: string, helper: string): Conversion {
  return { code: `${camel}: ${helper}(data.${camel})`, helpers: [helper] }
}

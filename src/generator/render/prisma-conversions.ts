import { variableName } from '../model/identifiers.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { searchColumn } from '../model/relations.ts'
import { type Relations, relationsOf } from './relation-view.ts'

/**
 * A property of a record whose value in the row has another type than in the domain. `partial` names the template
 * of its code under `templates/partials`; `row` names the variable that holds the row.
 */
export type RowConversion = { readonly camel: string; readonly row: string } & (
  | { readonly partial: 'prisma/read-decimal'; readonly scale: number; readonly optional: boolean }
  | { readonly partial: 'prisma/read-date'; readonly optional: boolean }
  | { readonly partial: 'prisma/read-enum'; readonly recordType: string }
  | {
      readonly partial: 'prisma/read-parts' | 'prisma/read-newest-parts'
      /** The variable that holds a row of the list. */
      readonly part: string
      readonly conversions: readonly RowConversion[]
    }
)

/** A column that is written as `<camel>: <helper>(data.<field>)`. */
export interface WrittenColumn {
  readonly camel: string
  readonly field: string
  readonly helper: WriteHelper
}

type WriteHelper = 'toDay' | 'toJson' | 'toNullableJson' | 'toSearch'

/** The variable that holds a row, and the type of its record in the domain. */
interface RowVariable {
  readonly row: string
  readonly recordType: string
}

/** Returns the properties to convert in every record of the feature. */
export function rowConversions(
  model: Model,
  { fields }: Feature,
  { many }: Relations,
  variable: RowVariable,
): readonly RowConversion[] {
  return [
    ...fields.flatMap((field) => fieldConversion(field, variable)),
    ...many.flatMap(({ field, target }) => partsConversion(model, target, field.camel, variable)),
  ]
}

/** Returns the lists of parts, which are read only with a single record, newest first. */
export function detailConversions(
  model: Model,
  { children }: Relations,
  variable: RowVariable,
): readonly RowConversion[] {
  return children.map(({ camel, child }) => ({
    partial: 'prisma/read-newest-parts',
    ...listConversion(model, child, camel, variable),
  }))
}

/** Returns the names that conversions import from `prisma.ts`. */
export function readHelpers(conversions: readonly RowConversion[]): readonly string[] {
  return conversions.flatMap((conversion) => {
    if ('conversions' in conversion) return readHelpers(conversion.conversions)
    return conversion.partial === 'prisma/read-date' ? ['fromDay'] : []
  })
}

/** Returns the columns whose value differs from the draft's. */
export function writtenColumns({ fields, search }: Feature): readonly WrittenColumn[] {
  const searched = fields.filter(({ name }) => search.includes(name))
  return [
    ...fields.flatMap(({ camel, type, optional }): WrittenColumn[] => {
      if (type.kind === 'date') return [{ camel, field: camel, helper: 'toDay' }]
      if (type.kind !== 'json') return []
      return [{ camel, field: camel, helper: optional ? 'toNullableJson' : 'toJson' }]
    }),
    ...searched.map((field): WrittenColumn => {
      return { camel: searchColumn(field).camel, field: field.camel, helper: 'toSearch' }
    }),
  ]
}

function fieldConversion(
  { type, camel, optional }: Field,
  { row, recordType }: RowVariable,
): RowConversion[] {
  switch (type.kind) {
    case 'decimal':
      return [{ partial: 'prisma/read-decimal', camel, row, scale: type.scale, optional }]
    case 'date':
      return [{ partial: 'prisma/read-date', camel, row, optional }]
    // The column is text. The app writes only values of the enum.
    case 'enum':
      return [{ partial: 'prisma/read-enum', camel, row, recordType }]
    default:
      return []
  }
}

function partsConversion(
  model: Model,
  feature: Feature,
  camel: string,
  variable: RowVariable,
): RowConversion[] {
  const list = listConversion(model, feature, camel, variable)
  return list.conversions.length === 0 ? [] : [{ partial: 'prisma/read-parts', ...list }]
}

function listConversion(
  model: Model,
  feature: Feature,
  camel: string,
  { row, recordType }: RowVariable,
) {
  const part = variableName(feature.entity.camel)
  const conversions = rowConversions(model, feature, relationsOf(model, feature), {
    row: part,
    recordType: `${recordType}['${camel}'][number]`,
  })
  return { camel, row, part, conversions }
}

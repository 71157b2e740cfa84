import type { Feature, Model } from '../model/model.ts'
import { searchColumn } from '../model/relations.ts'
import { type Relations, relationsOf } from './relation-view.ts'

/** Prisma's arguments `omit` and `include` for reading a record. */
export interface ReadArgs {
  /** Search columns, which reads omit. */
  readonly omitted: readonly string[]
  readonly hasInclude: boolean
  /** Referenced records, of which only a few columns are read. */
  readonly summaries: readonly Summary[]
  /** Lists of records, read with all columns. */
  readonly parts: readonly Part[]
}

interface Summary {
  readonly name: string
  readonly columns: readonly string[]
}

interface Part {
  readonly name: string
  readonly args: ReadArgs
}

/** Returns the arguments for reading any record of the feature. */
export function readArgs(
  model: Model,
  { fields, search }: Feature,
  { forward, many }: Relations,
): ReadArgs {
  const summaries = forward.map(({ camel, label }) => ({
    name: camel,
    columns: ['id', ...(label ? [label.camel] : [])],
  }))
  const parts = many.map(({ field, target }) => partOf(model, target, field.camel))
  return {
    omitted: fields
      .filter(({ name }) => search.includes(name))
      .map((field) => searchColumn(field).camel),
    hasInclude: summaries.length > 0 || parts.length > 0,
    summaries,
    parts,
  }
}

/** Returns the lists of parts, which are read only with a single record. The parts do not include the record. */
export function detailParts(model: Model, { children }: Relations): readonly Part[] {
  return children.map(({ camel, child, by }) => {
    const relations = relationsOf(model, child)
    const forward = relations.forward.filter(({ camel }) => camel !== by.camel)
    return { name: camel, args: readArgs(model, child, { ...relations, forward }) }
  })
}

export function isEmpty({ omitted, hasInclude }: ReadArgs): boolean {
  return omitted.length === 0 && !hasInclude
}

function partOf(model: Model, part: Feature, name: string): Part {
  return { name, args: readArgs(model, part, relationsOf(model, part)) }
}

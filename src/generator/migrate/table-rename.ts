import type { Model } from '../model/model.ts'
import { joinTableName } from '../model/relation-names.ts'
import { manyOf } from '../model/relations.ts'
import { type Column, type ForeignKey, type Index, type Table, tablesOf } from './tables.ts'

/** A table before and after a rename. Nothing but names differs. */
export interface TableRename {
  readonly from: Table
  readonly to: Table
  /** Columns with another name, as steps to run in this order: two columns can exchange their names. */
  readonly columns: readonly { readonly from: string; readonly to: string }[]
  /**
   * True for a join table whose ends A and B exchange their tables, because Prisma sorts them by name. Its indexes and
   * keys start with another column, so they must be dropped first and created again last.
   */
  readonly isFlipped: boolean
  /** All indexes, in the order of the previous table. */
  readonly indexes: readonly { readonly from: Index; readonly to: Index }[]
  readonly foreignKeys: readonly { readonly from: ForeignKey; readonly to: ForeignKey }[]
  readonly allColumns: readonly { readonly from: Column; readonly to: Column }[]
}

/**
 * Matches the tables of a model before and after a rename: features and fields match by position. Lists only tables of
 * which a name changes: of the table, of a column, or of an index or foreign key, which contain both.
 */
export function tableRenames(before: Model, after: Model): readonly TableRename[] {
  const [old, next] = [tablesOf(before), tablesOf(after)]
  const entities = old.filter(({ isJoin }) => !isJoin)
  const pairs = entities.flatMap((from, i) => {
    const to = next[i]
    return to === undefined ? [] : [{ from, to }]
  })
  const nextName = (name: string) => pairs.find(({ from }) => from.name === name)?.to.name
  const [oldJoins, nextJoins] = [joinNames(before), joinNames(after)]
  const joins = oldJoins.flatMap((name, i) => {
    const from = old.find((table) => table.name === name)
    const to = next.find((table) => table.name === nextJoins[i])
    return from && to ? [{ from, to }] : []
  })
  return [
    ...pairs.map(({ from, to }) => renameOf(from, to, false)),
    ...joins.map(({ from, to }) =>
      renameOf(from, to, nextName(from.foreignKeys[0]?.table ?? '') !== to.foreignKeys[0]?.table),
    ),
  ].filter(({ from, to, columns }) => from.name !== to.name || columns.length > 0)
}

function joinNames(model: Model): readonly string[] {
  return model.features.flatMap((feature) =>
    manyOf(model, feature).map((many) => joinTableName(feature, many)),
  )
}

function renameOf(from: Table, to: Table, isFlipped: boolean): TableRename {
  const zip = <T>(old: readonly T[], next: readonly T[]) =>
    old.flatMap((each, i) => {
      const other = next[i]
      return other === undefined ? [] : [{ from: each, to: other }]
    })
  const allColumns = zip(from.columns, to.columns)
  return {
    from,
    to,
    isFlipped,
    allColumns,
    columns: isFlipped
      ? [
          { from: 'A', to: 'C' },
          { from: 'B', to: 'A' },
          { from: 'C', to: 'B' },
        ]
      : allColumns
          .filter((pair) => pair.from.name !== pair.to.name)
          .map((pair) => ({ from: pair.from.name, to: pair.to.name })),
    indexes: zip(from.indexes, to.indexes),
    foreignKeys: zip(from.foreignKeys, to.foreignKeys),
  }
}

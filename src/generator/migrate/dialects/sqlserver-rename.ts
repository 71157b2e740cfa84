import { quoted } from '../default-sql.ts'
import type { TableRename } from '../table-rename.ts'
import {
  type Column,
  foreignKeyName,
  type Index,
  indexName,
  primaryKeyName,
  type Table,
} from '../tables.ts'
import type { KeyStatements, RenameStep } from './dialect.ts'

interface SqlServerParts {
  readonly longestName: number
  isConstraint(index: Index): boolean
  createIndex(table: Table, index: Index): string
  dropIndex(table: Table, index: Index): string
  readonly keys: KeyStatements
  defaultName(column: Column, table: Table): string
}

/**
 * Renames in place with `sp_rename`. A filtered index blocks the rename of its column: such indexes are dropped first and
 * created again last.
 */
export function rename(
  renames: readonly TableRename[],
  parts: SqlServerParts,
): readonly RenameStep[] {
  const { longestName, isConstraint, createIndex, dropIndex, keys } = parts
  const flipped = renames.filter(({ isFlipped }) => isFlipped)
  const all = renames.flatMap(({ from, to, indexes, isFlipped }) =>
    indexes.map((pair) => ({
      from,
      to,
      pair,
      old: indexName(from, pair.from, longestName),
      next: indexName(to, pair.to, longestName),
      isRecreated: isFlipped || (pair.from.unique && !isConstraint(pair.from)),
      isFlipped,
    })),
  )
  const renamed = all.filter(({ old, next, isFlipped }) => isFlipped || old !== next)
  const recreated = renamed.filter(({ isRecreated }) => isRecreated)
  return [
    {
      title: 'DropForeignKey',
      statements: flipped.flatMap(({ from }) =>
        from.foreignKeys.map((key) => keys.drop(from, key)),
      ),
    },
    {
      title: 'DropIndex',
      statements: recreated.map(({ from, pair }) => dropIndex(from, pair.from)),
    },
    {
      title: 'RenameTable',
      statements: renames.flatMap(({ from, to }) => change([from.name], to.name)),
    },
    {
      title: 'RenameColumn',
      statements: renames.flatMap(({ to, columns }) =>
        columns.flatMap((column) => change([to.name, column.from], column.to, 'COLUMN')),
      ),
    },
    {
      title: 'RenameIndex',
      statements: renamed
        .filter(({ pair, isRecreated }) => !isRecreated && !isConstraint(pair.from))
        .flatMap(({ to, old, next }) => change([to.name, old], next, 'INDEX')),
    },
    {
      title: 'RenameConstraint',
      statements: [
        ...renames.flatMap((each) => constraintNames(each, parts)),
        ...renamed
          .filter(({ pair, isRecreated }) => !isRecreated && isConstraint(pair.from))
          .map(({ old, next }) => [old, next] as const),
      ].flatMap(([old, next]) => change([old], next, 'OBJECT')),
    },
    {
      title: 'CreateIndex',
      // Use dynamic SQL: SQL Server compiles the batch before the column has its new name.
      statements: recreated.map(({ to, pair }) => `EXEC(${quoted(createIndex(to, pair.to))})`),
    },
    {
      title: 'AddForeignKey',
      statements: flipped.flatMap(({ to }) => to.foreignKeys.map((key) => keys.add(to, key))),
    },
  ]
}

/** Lists the previous and the new names of the primary key, the foreign keys and the defaults. */
function constraintNames(
  { from, to, foreignKeys, allColumns, isFlipped }: TableRename,
  { longestName, defaultName }: SqlServerParts,
): readonly (readonly [string, string])[] {
  return [
    ...(from.isJoin
      ? []
      : [[primaryKeyName(from, longestName), primaryKeyName(to, longestName)] as const]),
    ...(isFlipped ? [] : foreignKeys).map(
      (pair) =>
        [
          foreignKeyName(from, pair.from, longestName),
          foreignKeyName(to, pair.to, longestName),
        ] as const,
    ),
    ...allColumns
      .filter((pair) => pair.from.default !== undefined)
      .map((pair) => [defaultName(pair.from, from), defaultName(pair.to, to)] as const),
  ]
}

function change(path: readonly string[], next: string, kind?: string): readonly string[] {
  if (path.at(-1) === next) return []
  const name = ['dbo', ...path].map((part) => `[${part.replaceAll(']', ']]')}]`).join('.')
  const type = kind === undefined ? '' : `, ${quoted(kind)}`
  return [`EXEC sp_rename ${quoted(name)}, ${quoted(next)}${type}`]
}

import type { TableRename } from '../table-rename.ts'
import { type Index, indexName, type Table } from '../tables.ts'
import type { RenameStep } from './dialect.ts'

interface SqliteParts {
  quote(name: string): string
  createIndex(table: Table, index: Index): string
  dropIndex(table: Table, index: Index): string
}

/**
 * Renames in place: SQLite adapts foreign keys, own indexes, views and triggers. SQLite can't rename an index, so indexes
 * are created again. Foreign keys keep the name of their constraint, which nothing reads.
 */
export function rename(renames: readonly TableRename[], parts: SqliteParts): readonly RenameStep[] {
  const { quote, createIndex, dropIndex } = parts
  const renamed = renames.flatMap(({ from, to, indexes, isFlipped }) =>
    indexes
      .filter((pair) => isFlipped || nameOf(from, pair.from) !== nameOf(to, pair.to))
      .map((pair) => ({ from, to, pair })),
  )
  return [
    {
      title: 'DropIndex',
      statements: renamed.map(({ from, pair }) => dropIndex(from, pair.from)),
    },
    {
      title: 'RenameTable',
      statements: renames
        .filter(({ from, to }) => from.name !== to.name)
        .map(({ from, to }) => `ALTER TABLE ${quote(from.name)} RENAME TO ${quote(to.name)}`),
    },
    {
      title: 'RenameColumn',
      statements: renames.flatMap(({ to, columns }) =>
        columns.map(
          (column) =>
            `ALTER TABLE ${quote(to.name)} RENAME COLUMN ${quote(column.from)} TO ${quote(column.to)}`,
        ),
      ),
    },
    {
      title: 'CreateIndex',
      statements: renamed.map(({ to, pair }) => createIndex(to, pair.to)),
    },
  ]
}

function nameOf(table: Table, index: Index): string {
  return indexName(table, index, Number.POSITIVE_INFINITY)
}

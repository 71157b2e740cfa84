import type { TableRename } from '../table-rename.ts'
import { type ForeignKey, foreignKeyName, type Index, indexName, type Table } from '../tables.ts'
import type { KeyStatements, RenameStep } from './dialect.ts'

interface MysqlParts {
  readonly longestName: number
  readonly keys: KeyStatements
  readonly indexes: {
    create(table: Table, index: Index): string
    drop(table: Table, index: Index): string
  }
  quote(name: string): string
}

/** Renames in place. MySQL can't rename a foreign key, so renamed keys are dropped first and added last. */
export function rename(
  renames: readonly TableRename[],
  { longestName, keys, indexes, quote }: MysqlParts,
): readonly RenameStep[] {
  const keyName = (table: Table, key: ForeignKey) => foreignKeyName(table, key, longestName)
  const flipped = renames.filter(({ isFlipped }) => isFlipped)
  const renamedKeys = renames.flatMap(({ from, to, foreignKeys, isFlipped }) =>
    foreignKeys
      .filter((pair) => isFlipped || keyName(from, pair.from) !== keyName(to, pair.to))
      .map((pair) => ({ from, to, pair })),
  )
  return [
    {
      title: 'DropForeignKey',
      statements: renamedKeys.map(({ from, pair }) => keys.drop(from, pair.from)),
    },
    {
      title: 'DropIndex',
      statements: flipped.flatMap(({ from }) =>
        from.indexes.map((index) => indexes.drop(from, index)),
      ),
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
      title: 'RenameIndex',
      statements: renames.flatMap((each) =>
        (each.isFlipped ? [] : each.indexes)
          .map((pair) => ({
            old: indexName(each.from, pair.from, longestName),
            next: indexName(each.to, pair.to, longestName),
          }))
          .filter(({ old, next }) => old !== next)
          .map(
            ({ old, next }) =>
              `ALTER TABLE ${quote(each.to.name)} RENAME INDEX ${quote(old)} TO ${quote(next)}`,
          ),
      ),
    },
    {
      title: 'CreateIndex',
      statements: flipped.flatMap(({ to }) => to.indexes.map((index) => indexes.create(to, index))),
    },
    {
      title: 'AddForeignKey',
      statements: renamedKeys.map(({ to, pair }) => keys.add(to, pair.to)),
    },
  ]
}

import type { TableRename } from '../table-rename.ts'
import { foreignKeyName, type Index, indexName, primaryKeyName, type Table } from '../tables.ts'
import type { KeyStatements, RenameStep } from './dialect.ts'

interface PostgresParts {
  readonly longestName: number
  readonly keys: KeyStatements
  quote(name: string): string
  createIndex(table: Table, index: Index): string
  /** Returns the indexes of a table that are no constraint. */
  separateIndexes(table: Table): readonly Index[]
}

/** Renames in place: PostgreSQL adapts foreign keys, own indexes, views and the columns of triggers. */
export function rename(
  renames: readonly TableRename[],
  { longestName, keys, quote, createIndex, separateIndexes }: PostgresParts,
): readonly RenameStep[] {
  const changed = (from: string, to: string, statement: (from: string, to: string) => string) =>
    from === to ? [] : [statement(quote(from), quote(to))]
  const flipped = renames.filter(({ isFlipped }) => isFlipped)
  const others = renames.filter(({ isFlipped }) => !isFlipped)
  return [
    {
      title: 'DropKeys',
      statements: flipped.flatMap(({ from }) => [
        ...from.foreignKeys.map((key) => keys.drop(from, key)),
        ...separateIndexes(from).map(
          (index) => `DROP INDEX ${quote(indexName(from, index, longestName))}`,
        ),
        `ALTER TABLE ${quote(from.name)} DROP CONSTRAINT ${quote(primaryKeyName(from, longestName))}`,
      ]),
    },
    {
      title: 'RenameTable',
      statements: renames.flatMap(({ from, to }) =>
        changed(from.name, to.name, (old, next) => `ALTER TABLE ${old} RENAME TO ${next}`),
      ),
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
      statements: others.flatMap(({ from, to, indexes }) =>
        indexes
          .filter((pair) => separateIndexes(from).includes(pair.from))
          .flatMap((pair) =>
            changed(
              indexName(from, pair.from, longestName),
              indexName(to, pair.to, longestName),
              (old, next) => `ALTER INDEX ${old} RENAME TO ${next}`,
            ),
          ),
      ),
    },
    {
      title: 'RenameConstraint',
      statements: others.flatMap(({ from, to, foreignKeys }) => {
        const constraint = (old: string, next: string) =>
          `ALTER TABLE ${quote(to.name)} RENAME CONSTRAINT ${old} TO ${next}`
        return [
          ...changed(
            primaryKeyName(from, longestName),
            primaryKeyName(to, longestName),
            constraint,
          ),
          ...foreignKeys.flatMap((pair) =>
            changed(
              foreignKeyName(from, pair.from, longestName),
              foreignKeyName(to, pair.to, longestName),
              constraint,
            ),
          ),
        ]
      }),
    },
    {
      title: 'AddKeys',
      statements: flipped.flatMap(({ to }) => [
        `ALTER TABLE ${quote(to.name)} ADD CONSTRAINT ${quote(primaryKeyName(to, longestName))} PRIMARY KEY ("A","B")`,
        ...separateIndexes(to).map((index) => createIndex(to, index)),
        ...to.foreignKeys.map((key) => keys.add(to, key)),
      ]),
    },
    {
      title: 'RenameSequence',
      // A person's own migration may have replaced the sequence.
      statements: renames
        .filter(({ from }) => !from.isJoin)
        .flatMap(({ from, to }) =>
          changed(
            `${from.name}_id_seq`,
            `${to.name}_id_seq`,
            (old, next) => `ALTER SEQUENCE IF EXISTS ${old} RENAME TO ${next}`,
          ),
        ),
    },
  ]
}

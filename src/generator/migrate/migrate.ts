import type { Model } from '../model/model.ts'
import { compareTables } from './compare-tables.ts'
import type { Dialect, KeyStatements } from './dialects/dialect.ts'
import { dialectOf } from './dialects/registry.ts'
import { losses } from './losses.ts'
import { migrationName } from './migration-name.ts'
import { nothingOwn, type OwnObjects } from './own-objects.ts'
import type { Changes } from './table-change.ts'
import { type Table, tablesOf } from './tables.ts'
import { assertTypeLimits } from './type-limits.ts'
import { newUniqueEmails } from './unique-emails.ts'

export interface Migration {
  /** Name of the migration in snake_case: `create_users` */
  readonly name: string
  /** The text of `migration.sql`, in the style of Prisma's engine. */
  readonly sql: string
  /** One sentence for each loss of data, and for each change that can fail on existing rows. */
  readonly destructive: readonly string[]
  /** True if an existing table changes, false if the migration only creates tables. */
  readonly altersTables: boolean
}

/**
 * Returns the migration from one model to the next, or `undefined` if no table changes. `from` is
 * `undefined`, or of another store kind, if the store is empty. Throws StrataError `usage` for a
 * field of `to` that the store can't hold.
 */
export function migrate(
  from: Model | undefined,
  to: Model,
  dialect: Dialect = dialectOf(to.database),
  own: OwnObjects = nothingOwn,
): Migration | undefined {
  const after = tablesOf(to)
  assertTypeLimits(after, dialect)
  const before = from?.database === to.database ? tablesOf(from) : []
  const changes = compareTables(before, after, dialect)
  const steps = stepsOf(changes, dialect, { before, after, own })
  if (steps.length === 0) return undefined
  return {
    name: migrationName(changes),
    sql: script(steps, dialect),
    destructive: losses(changes),
    altersTables: changes.altered.length > 0 || changes.dropped.length > 0,
  }
}

interface Step {
  readonly title: string
  readonly statements: readonly string[]
}

interface Tables {
  readonly before: readonly Table[]
  readonly after: readonly Table[]
  readonly own: OwnObjects
}

// The order of Prisma's engine: drops that block other changes first, new indexes after their columns.
function stepsOf(changes: Changes, { sql }: Dialect, tables: Tables): readonly Step[] {
  const taken = new Set([...tables.before, ...tables.after].map(({ name }) => name))
  const rebuilt = changes.altered.filter((change) => sql.rebuild?.needed(change))
  const altered = changes.altered.filter((change) => !rebuilt.includes(change))
  const step = (title: string, statements: readonly string[]): readonly Step[] =>
    statements.length > 0 ? [{ title, statements }] : []
  const createIndexes = (table: Table, indexes: Table['indexes']) =>
    indexes.flatMap((index) => step('CreateIndex', [sql.createIndex(table, index)]))
  return [
    ...(sql.foreignKeys === undefined ? [] : dropKeys(changes, tables.before, sql.foreignKeys)),
    ...altered.flatMap(({ from, droppedIndexes }) =>
      droppedIndexes.flatMap((index) => step('DropIndex', [sql.dropIndex(from, index)])),
    ),
    ...changes.altered.flatMap((change) =>
      step(
        'LowerCase',
        newUniqueEmails(change).map((column) => sql.lowerCase(change.from, column)),
      ),
    ),
    ...altered.flatMap((change) => step('AlterTable', sql.alterTable(change))),
    ...altered.flatMap(({ to, folded }) =>
      step(
        'FoldText',
        folded.flatMap((each) => sql.fold?.(to, each) ?? []),
      ),
    ),
    ...changes.dropped.flatMap((table) => step('DropTable', sql.dropTable(table))),
    ...changes.created.flatMap((table) => step('CreateTable', [sql.createTable(table)])),
    ...(rebuilt.length > 0
      ? step('RedefineTables', sql.rebuild?.statements(rebuilt, taken, tables.own) ?? [])
      : []),
    ...changes.created.flatMap((table) => createIndexes(table, sql.separateIndexes(table))),
    ...altered.flatMap(({ to, createdIndexes }) => createIndexes(to, createdIndexes)),
    ...(sql.foreignKeys === undefined ? [] : addKeys(changes, tables.after, sql.foreignKeys)),
  ]
}

function dropKeys(
  { altered, dropped }: Changes,
  before: readonly Table[],
  sql: KeyStatements,
): readonly Step[] {
  return before.flatMap((table) => {
    const change = altered.find(({ from }) => from === table)
    const keys = dropped.includes(table) ? table.foreignKeys : (change?.droppedKeys ?? [])
    return keys.map((key) => ({ title: 'DropForeignKey', statements: [sql.drop(table, key)] }))
  })
}

function addKeys(
  { altered, created }: Changes,
  after: readonly Table[],
  sql: KeyStatements,
): readonly Step[] {
  return after.flatMap((table) => {
    const change = altered.find(({ to }) => to === table)
    const keys = created.includes(table) ? table.foreignKeys : (change?.createdKeys ?? [])
    return keys.map((key) => ({ title: 'AddForeignKey', statements: [sql.add(table, key)] }))
  })
}

function script(steps: readonly Step[], { sql }: Dialect): string {
  const body = steps.map(
    ({ title, statements }) =>
      `-- ${title}\n${statements.map((statement) => `${statement};\n`).join('')}`,
  )
  const parts = sql.transaction ? [sql.transaction.begin, ...body, sql.transaction.commit] : body
  return parts.join('\n')
}

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { faultOf } from './faults.ts'
import type { Values } from './requests.ts'
import type { Column } from './rows.ts'
import { schemaInSqlite } from './schema.ts'
import type { Fault } from './tokens.ts'
import { inSqlite } from './translate.ts'

/** An in-memory database. */
export interface Database {
  /** Settles when no other connection has a transaction. */
  readonly take: (connection: object) => Promise<void>
  readonly leave: (connection: object) => void
  readonly run: (sql: string, values?: Values) => Result | Fault
  readonly migrate: (migration: string) => void
  readonly control: (statement: 'BEGIN' | 'COMMIT' | 'ROLLBACK') => void
}

export interface Result {
  /** Empty if the statement returns no rows. */
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly unknown[])[]
  readonly count: number
}

export function createDatabase(): Database {
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec('PRAGMA foreign_keys = ON; PRAGMA case_sensitive_like = ON')
  return {
    ...createTurns(),
    control: (statement) => sqlite.exec(statement),
    migrate: (migration) => {
      for (const statement of schemaInSqlite(migration)) sqlite.exec(statement)
    },
    run(sql, values = {}) {
      try {
        return execute(sqlite, inSqlite(sql), values)
      } catch (error) {
        const fault = faultOf(sqlite, sql, String(error))
        if (fault === undefined) throw error
        return fault
      }
    },
  }
}

/** Creates a database that serializes its connections, because SQLite has one transaction at a time. */
function createTurns() {
  let holder: object | undefined
  const waiting: { connection: object; start: () => void }[] = []
  return {
    async take(connection: object) {
      if (holder !== undefined && holder !== connection) {
        await new Promise<void>((start) => waiting.push({ connection, start }))
      }
      holder = connection
    },
    leave(connection: object) {
      if (holder !== connection) return
      const next = waiting.shift()
      holder = next?.connection
      next?.start()
    },
  }
}

function execute(sqlite: DatabaseSyncInstance, sql: string, values: Values): Result {
  const statement = sqlite.prepare(sql)
  const columns = statement.columns().map(({ name, type }) => ({ name, declared: type }))
  const entries = Object.entries(values)
  const bound = Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  )
  // Prisma passes more parameters than some statements use.
  statement.setAllowUnknownNamedParameters(true)
  const given = entries.length === 0 ? [] : [bound]
  if (columns.length === 0) {
    return { columns, rows: [], count: statement.run(...given).changes }
  }
  statement.setReturnArrays(true)
  const rows: unknown[][] = statement.all(...given)
  return { columns, rows, count: rows.length }
}

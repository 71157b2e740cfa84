import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import { DaemonError } from '../errors.ts'
import { databaseFault } from './database-fault.ts'

/** A synchronous connection to the SQLite file. */
export interface Connection {
  /** Runs one statement, prepared once per text. Throws DaemonError for known SQLite errors. */
  query(sql: string, parameters?: readonly unknown[]): Rows
  /** Runs any number of statements without parameters. */
  execute(sql: string): void
  readonly raw: DatabaseSyncInstance
  close(): void
}

export interface Rows {
  readonly rows: Record<string, unknown>[]
  readonly changes: number
}

interface Prepared {
  readonly statement: StatementSyncInstance
  readonly hasRows: boolean
}

/** Capacity of the statement cache. Statements must be reused, because only the garbage collector frees them. */
const maxStatements = 500

/** Maximum wait of a statement for a lock of another process. The wait blocks the event loop. */
const busyTimeoutMs = 5_000

/**
 * Opens a database file for reading and writing, or only for reading. WAL with `synchronous = NORMAL`: commits survive
 * `kill -9`, as an accepted push requires. A power failure can lose the last commits but cannot corrupt the file. A
 * transaction with `durable` also survives power failures.
 */
export function openConnection(
  file: string,
  { readOnly = false }: { readOnly?: boolean } = {},
): Connection {
  const raw = withDatabaseFaults(() => new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs }))
  const statements = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const known = statements.get(sql)
    if (known) {
      // Reinsert the key to keep the map in order of use: the first key is the least recently used.
      statements.delete(sql)
      statements.set(sql, known)
      return known
    }
    const statement = raw.prepare(sql)
    const made = { statement, hasRows: statement.columns().length > 0 }
    statements.set(sql, made)
    const [oldest] = statements.keys()
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest)
    return made
  }

  const connection: Connection = {
    raw,
    query(sql, parameters = []) {
      for (const value of parameters) refuseNul(value)
      return withDatabaseFaults(() => {
        const { statement, hasRows } = prepared(sql)
        // Do not use `get`: it leaves an `INSERT … RETURNING` unfinished, and the write-ahead log would grow without
        // bound.
        return hasRows
          ? { rows: statement.all(...parameters), changes: 0 }
          : { rows: [], changes: statement.run(...parameters).changes }
      })
    },
    execute: (sql) => withDatabaseFaults(() => raw.exec(sql)),
    close: () => raw.close(),
  }
  try {
    connection.execute('PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
    if (!readOnly) {
      connection.execute(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864',
      )
    }
  } catch (error) {
    raw.close()
    throw error
  }
  return connection
}

/** Refuse NUL characters: SQLite would silently truncate the string there. */
function refuseNul(value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new DaemonError('bad-request', 'a text contains a NUL character: remove it')
  }
}

function withDatabaseFaults<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw databaseFault(error)
  }
}

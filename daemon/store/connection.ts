import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import { DaemonError } from '../errors.ts'
import { databaseFault } from './database-fault.ts'

/** One connection to the SQLite file. Everything is synchronous: a statement is over when the call is. */
export interface Connection {
  /** Runs one statement; its text is prepared once. Throws DaemonError where the fault has a sentence. */
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

/** How many prepared statements are kept: the collector alone frees one, so none may be prepared again and again. */
const keptStatements = 500

/** How long a statement waits for another program that holds the file; the event loop stands still meanwhile. */
const busyTimeoutMs = 5_000

/**
 * Opens a database file, for reading and writing unless told otherwise.
 *
 * The log is written ahead (WAL) with `synchronous = NORMAL`: what is committed is in the system's hands and survives
 * `kill -9` at any instant, which is what an accepted push is owed. A power cut may take the last commits, never the
 * file; a commit that has to outlive that too asks for `durable`.
 */
export function openConnection(
  file: string,
  { readOnly = false }: { readOnly?: boolean } = {},
): Connection {
  const raw = faultsTold(() => new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs }))
  const statements = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const known = statements.get(sql)
    if (known) {
      // The least recently used one stays in front.
      statements.delete(sql)
      statements.set(sql, known)
      return known
    }
    const statement = raw.prepare(sql)
    const made = { statement, hasRows: statement.columns().length > 0 }
    statements.set(sql, made)
    const [oldest] = statements.keys()
    if (statements.size > keptStatements && oldest !== undefined) statements.delete(oldest)
    return made
  }

  const connection: Connection = {
    raw,
    query(sql, parameters = []) {
      for (const value of parameters) refuseNul(value)
      return faultsTold(() => {
        const { statement, hasRows } = prepared(sql)
        // `get` of an `INSERT … RETURNING` would not finish it, and the log would grow without end.
        return hasRows
          ? { rows: statement.all(...parameters), changes: 0 }
          : { rows: [], changes: statement.run(...parameters).changes }
      })
    },
    execute: (sql) => faultsTold(() => raw.exec(sql)),
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

/** SQLite's C texts end at a NUL: what follows it would be lost without a word. */
function refuseNul(value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new DaemonError('bad-request', 'a text holds a NUL character, which is not kept')
  }
}

function faultsTold<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw databaseFault(error)
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { toBound } from './database-file.js'
import { isBusy } from './dialect.js'

/** Cache size, above the app's number of queries. */
const maxStatements = 256

/** Retries while another process writes. After `quietMs` without a busy answer, the time limit starts again. */
const busy = { retryMs: 10, limitMs: 5_000, quietMs: 1_000 }

/** Creates Kysely's dialect on a single connection with cached prepared statements. */
export function createDialect(database: DatabaseSyncInstance): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

interface Turn extends DatabaseConnection {
  end: () => void
}

function createDriver(database: DatabaseSyncInstance): Driver {
  const retry = createBusyRetry()
  const execute = createExecute(database)
  const begin = () => retry(() => database.exec('BEGIN IMMEDIATE'))
  // Some errors, for example a full disk, have already ended the transaction.
  const rollback = () => database.isTransaction && database.exec('ROLLBACK')
  let lastTurn = Promise.resolve()

  /** Commits each write of its own: only an explicit transaction waits for another process without blocking this one. */
  async function executeQuery(query: CompiledQuery) {
    if (database.isTransaction || /^\s*select\b/i.test(query.sql))
      return retry(() => execute(query))
    await begin()
    try {
      const result = execute(query)
      database.exec('COMMIT')
      return result
    } catch (error) {
      rollback()
      throw error
    }
  }

  return {
    init: async () => {},
    /** Waits until no other query or transaction has the connection. */
    async acquireConnection(): Promise<Turn> {
      const before = lastTurn
      let end = () => {}
      lastTurn = new Promise((resolve) => {
        end = resolve
      })
      await before
      return { executeQuery: executeQuery as DatabaseConnection['executeQuery'], streamQuery, end }
    },
    releaseConnection: async (turn) => (turn as Turn).end(),
    beginTransaction: begin,
    commitTransaction: async () => database.exec('COMMIT'),
    rollbackTransaction: async () => void rollback(),
    destroy: async () => close(database),
  }
}

function streamQuery(): never {
  throw new Error('the driver does not stream')
}

/** Writes the write-ahead log into the file, which then holds the whole database. */
function close(database: DatabaseSyncInstance) {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // On a full disk the log stays complete, and the next start reads it.
  }
  database.close()
}

interface Prepared {
  statement: StatementSyncInstance
  columns: readonly string[]
}

/** Returns a function that runs a statement, prepared once for each text. */
function createExecute(database: DatabaseSyncInstance) {
  const cache = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const found = cache.get(sql)
    if (found) return found
    const [oldest] = cache.keys()
    if (cache.size >= maxStatements && oldest !== undefined) cache.delete(oldest)
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const created = { statement, columns: statement.columns().map(({ name }) => name) }
    cache.set(sql, created)
    return created
  }

  return ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    const { statement, columns } = prepare(sql)
    const values = parameters.map((value) => (typeof value === 'number' ? toBound(value) : value))
    // `get` would leave a statement with RETURNING unfinished.
    if (columns.length > 0)
      return { rows: statement.all(...values).map((row) => named(columns, row)) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** Names the values of a row, in less time than the driver. */
function named(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  columns.forEach((name, i) => {
    row[name] = values[i]
  })
  return row
}

/**
 * Returns a function that repeats its work while another process writes, for `limitMs` at most. All queries share the
 * time limit: a query that waits for its turn has already waited for those before.
 */
function createBusyRetry() {
  let busySince = 0
  let lastBusy = Number.NEGATIVE_INFINITY

  return async <Result>(work: () => Result): Promise<Result> => {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
        const now = performance.now()
        if (now - lastBusy > busy.quietMs) busySince = now
        lastBusy = now
        if (now - busySince > busy.limitMs) throw error
      }
      // The driver's own busy timeout would block every other request.
      await pause(busy.retryMs)
    }
  }
}

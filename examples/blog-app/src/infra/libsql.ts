import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  type Config,
  createClient,
  type ResultSet,
  type Transaction,
} from '@libsql/client'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import Database from 'libsql'

/**
 * Cache size, above the app's number of queries. Prisma's batches need the limit: their statements
 * have many sizes.
 */
const maxStatements = 256

/**
 * Retries while another process writes (SQLITE_BUSY). After `quietMs` without a busy answer, the time limit starts
 * again.
 */
const busy = { code: 5, retryMs: 10, limitMs: 5_000, quietMs: 1_000 }

type Connection = InstanceType<typeof Database>

/**
 * Prisma's adapter on a single connection with cached prepared statements. The original client prepares every
 * query again, which takes longer than running the query, and opens a connection for every transaction.
 */
export class LibSqlAdapter extends PrismaLibSql {
  override createClient(config: Config): Client {
    const client = createClient(config)
    const connection = new Database(config.url.slice('file:'.length))
    // Writes survive a crash of the process. A power cut may lose the last writes, but does not
    // corrupt the file.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    const closeClient = client.close.bind(client)
    const retryBusy = createBusyRetry()
    const execute = createExecute(connection, retryBusy)
    return Object.assign(client, {
      execute,
      transaction: () => begin(connection, retryBusy, execute),
      close() {
        checkpoint(connection)
        connection.close()
        closeClient()
      },
    })
  }
}

type Execute = ReturnType<typeof createExecute>
type BusyRetry = ReturnType<typeof createBusyRetry>

/** Begins a transaction on the shared connection: the adapter runs no other query until the transaction has ended. */
async function begin(
  connection: Connection,
  retryBusy: BusyRetry,
  execute: Execute,
): Promise<Transaction> {
  await retryBusy(() => lock(connection))
  const transaction = {
    execute,
    commit: async () => {
      try {
        commit(connection)
      } catch (error) {
        throw toAdapterError(error)
      }
    },
    rollback: async () => rollback(connection),
  }
  return transaction as unknown as Transaction
}

/** Converts an error of a commit, for example on a full disk. The adapter converts only errors of statements. */
function toAdapterError(error: unknown): unknown {
  if (!(error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number'))
    return error
  const { message, rawCode } = error
  return new DriverAdapterError({
    kind: 'sqlite',
    extendedCode: rawCode,
    message,
    originalCode: String(rawCode),
    originalMessage: message,
  })
}

/**
 * Locks the file for writing. A transaction that starts with a read could fail at its first write
 * if another process has written since. Not a prepared statement: if the file is locked, the driver
 * leaves a prepared statement open and then commits no later write.
 */
function lock(connection: Connection) {
  connection.exec('BEGIN IMMEDIATE')
}

function commit(connection: Connection) {
  try {
    connection.exec('COMMIT')
  } catch (error) {
    rollback(connection)
    throw error
  }
}

function rollback(connection: Connection) {
  // Some errors, for example a full disk, have already ended the transaction.
  if (connection.inTransaction) connection.exec('ROLLBACK')
}

/** Writes the write-ahead log into the file, which then holds the whole database. */
function checkpoint(connection: Connection) {
  try {
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  } catch {
    // On a full disk the log stays complete, and the next start reads it.
  }
}

interface Prepared {
  statement: ReturnType<Connection['prepare']>
  columns: string[]
  columnTypes: string[]
}

/** Returns a function that runs a statement. Its rows are arrays of values, as the adapter expects. */
function createExecute(connection: Connection, retryBusy: BusyRetry) {
  const cache = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const found = cache.get(sql)
    if (found) return found
    const [oldest] = cache.keys()
    if (cache.size >= maxStatements && oldest !== undefined) cache.delete(oldest)
    const created = prepare(connection, sql)
    cache.set(sql, created)
    return created
  }

  return async ({ sql, args }: { sql: string; args: unknown[] }): Promise<ResultSet> => {
    const values = args.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    if (connection.inTransaction || isRead(sql)) return retryBusy(() => run(prepared(sql), values))
    await retryBusy(() => lock(connection))
    try {
      const result = run(prepared(sql), values)
      commit(connection)
      return result
    } catch (error) {
      rollback(connection)
      throw error
    }
  }
}

function isRead(sql: string): boolean {
  return /^\s*(?:SELECT|PRAGMA)\b/i.test(sql)
}

/**
 * Returns a function that repeats its work while another process writes, for `limitMs` at most. All queries share
 * the time limit: the adapter runs one query at a time, so the next query has already waited for the first.
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

function prepare(connection: Connection, sql: string): Prepared {
  const statement = connection.prepare(sql)
  const definitions = statement.reader ? statement.raw(true).columns() : []
  return {
    statement,
    columns: definitions.map(({ name }) => name),
    columnTypes: definitions.map(({ type }) => type ?? ''),
  }
}

function run({ statement, columns, columnTypes }: Prepared, args: unknown[]): ResultSet {
  const rows = statement.reader ? statement.all(args) : []
  const rowsAffected = statement.reader ? 0 : statement.run(args).changes
  return { columns, columnTypes, rows, rowsAffected } as unknown as ResultSet
}

/** Returns true for SQLITE_BUSY, which is the lowest byte of its extended codes. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error && 'rawCode' in error)) return false
  return typeof error.rawCode === 'number' && (error.rawCode & 0xff) === busy.code
}

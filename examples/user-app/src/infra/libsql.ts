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

/** More than the app has queries; Prisma's batches of many sizes must not make it grow without end. */
const maxStatements = 256

/** While another process writes: how often to try again, for how long, and after what pause anew. */
const busy = { everyMs: 10, forMs: 5_000, anewMs: 1_000, code: 5 }

type Connection = InstanceType<typeof Database>

/**
 * Prisma's adapter over one connection that keeps its prepared statements. The stock client prepares every
 * query anew, which takes longer than to run it, and opens a connection for every transaction.
 */
export class LibSqlAdapter extends PrismaLibSql {
  override createClient(config: Config): Client {
    const client = createClient(config)
    const connection = new Database(config.url.slice('file:'.length))
    // Durable against a crash of the process; a power cut may lose the last moments, never the file.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    const closeClient = client.close.bind(client)
    const whenFree = createPatience()
    const execute = createExecute(connection, whenFree)
    return Object.assign(client, {
      execute,
      transaction: () => begin(connection, whenFree, execute),
      close() {
        foldIn(connection)
        connection.close()
        closeClient()
      },
    })
  }
}

type Execute = ReturnType<typeof createExecute>
type Patience = ReturnType<typeof createPatience>

/** The adapter lets no other query run until it has ended, so that the connection can be the same. */
async function begin(
  connection: Connection,
  whenFree: Patience,
  execute: Execute,
): Promise<Transaction> {
  await whenFree(() => lock(connection))
  const transaction = {
    execute,
    commit: async () => {
      try {
        commit(connection)
      } catch (error) {
        throw toKnown(error)
      }
    },
    rollback: async () => rollback(connection),
  }
  return transaction as unknown as Transaction
}

/** The adapter names what a statement throws, and not what a commit does, as on a full disk. */
function toKnown(error: unknown): unknown {
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
 * Takes the file for writing; one that begins by reading could find later that another process wrote meanwhile.
 * Not as a prepared statement: the driver leaves one that finds the file locked open, and then none of the
 * writes after it is committed.
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
  // Some faults, as a full disk, have ended it already.
  if (connection.inTransaction) connection.exec('ROLLBACK')
}

/** Brings the write-ahead log into the file, which alone is then the whole database. */
function foldIn(connection: Connection) {
  try {
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  } catch {
    // On a full disk the log stays, whole, and the next start reads it.
  }
}

interface Prepared {
  statement: ReturnType<Connection['prepare']>
  columns: string[]
  columnTypes: string[]
}

/** Rows come as arrays of values, which is how the adapter reads them. */
function createExecute(connection: Connection, whenFree: Patience) {
  const kept = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const found = kept.get(sql)
    if (found) return found
    const [oldest] = kept.keys()
    if (kept.size >= maxStatements && oldest !== undefined) kept.delete(oldest)
    const made = prepare(connection, sql)
    kept.set(sql, made)
    return made
  }

  return async ({ sql, args }: { sql: string; args: unknown[] }): Promise<ResultSet> => {
    const values = args.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    if (connection.inTransaction || isRead(sql)) return whenFree(() => run(prepared(sql), values))
    await whenFree(() => lock(connection))
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
 * What tries again while another process writes. Shared, as the adapter lets one query run at a time: those
 * behind the first have waited already.
 */
function createPatience() {
  let busyFrom = 0
  let busyTo = Number.NEGATIVE_INFINITY

  return async <Result>(work: () => Result): Promise<Result> => {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
        const now = performance.now()
        if (now - busyTo > busy.anewMs) busyFrom = now
        busyTo = now
        if (now - busyFrom > busy.forMs) throw error
      }
      // Waiting in the driver would hold up every other request.
      await pause(busy.everyMs)
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

/** Extended codes of SQLITE_BUSY have it in their lowest byte. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error && 'rawCode' in error)) return false
  return typeof error.rawCode === 'number' && (error.rawCode & 0xff) === busy.code
}

import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type * as prisma from '@prisma/driver-adapter-utils'
import { ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils'
import { toBound } from './database-file.js'

/** Retries of a statement while another process writes. The driver's own timeout would block all other requests. */
const busy = { retryMs: 10, limitMs: 5_000 }

/** Above the app's number of queries. Prisma's batches need the limit: their statements have many sizes. */
const maxStatements = 256

const name = { provider: 'sqlite', adapterName: 'node-sqlite' } as const

/** Connects Prisma to a database by prepared statements, which stay in memory. */
export function createAdapter(database: DatabaseSyncInstance): prisma.SqlDriverAdapterFactory {
  return { ...name, connect: async () => connect(database) }
}

function connect(database: DatabaseSyncInstance): prisma.SqlDriverAdapter {
  const prepare = createCache(database)
  /** Resolves at the end of the open transaction. */
  let transactionEnd: Promise<void> | undefined

  /** Runs `work` outside of the open transaction, and again while another process writes. */
  async function attempt<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + busy.limitMs
    for (;;) {
      while (transactionEnd) await transactionEnd
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toAdapterError(error)
      }
      await pause(busy.retryMs)
    }
  }

  /** Locks the file at once. A transaction that starts with a read could fail at its first write. */
  async function startTransaction(): Promise<prisma.Transaction> {
    const unlock = await attempt(() => {
      database.exec('BEGIN IMMEDIATE')
      let resolveEnd = () => {}
      transactionEnd = new Promise((resolve) => {
        resolveEnd = resolve
      })
      return resolveEnd
    })
    const end = async (sql: 'COMMIT' | 'ROLLBACK') => {
      try {
        // Some errors, for example a full disk, have already ended the transaction.
        if (sql === 'COMMIT' || database.isTransaction) database.exec(sql)
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw toAdapterError(error)
      } finally {
        transactionEnd = undefined
        unlock()
      }
    }
    return {
      ...name,
      options: { usePhantomQuery: true },
      queryRaw: async (query) => converted(() => select(prepare(query.sql), query)),
      executeRaw: async (query) => converted(() => write(prepare(query.sql), query)),
      commit: () => end('COMMIT'),
      rollback: () => end('ROLLBACK'),
    }
  }

  return {
    ...name,
    queryRaw: (query) => attempt(() => select(prepare(query.sql), query)),
    executeRaw: (query) => attempt(() => write(prepare(query.sql), query)),
    executeScript: (script) => attempt(() => database.exec(script)),
    startTransaction,
    async dispose() {
      checkpoint(database)
      database.close()
    },
  }
}

/** Writes the write-ahead log into the file, which then holds the whole database. */
function checkpoint(database: DatabaseSyncInstance) {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // On a full disk the log stays complete, and the next start reads it.
  }
}

interface Prepared {
  statement: StatementSyncInstance
  columnNames: string[]
  /** Undefined for computed columns. */
  columnTypes: (prisma.ColumnType | undefined)[]
}

/** Returns a function that prepares each statement once. */
function createCache(database: DatabaseSyncInstance) {
  const cache = new Map<string, Prepared>()
  return (sql: string): Prepared => {
    const found = cache.get(sql)
    if (found) return found
    const [oldest] = cache.keys()
    if (cache.size >= maxStatements && oldest !== undefined) cache.delete(oldest)
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns()
    const created = {
      statement,
      columnNames: columns.map((column) => column.name),
      columnTypes: columns.map(({ type }) => columnTypes[type ?? '']),
    }
    cache.set(sql, created)
    return created
  }
}

/** Types of the columns in prisma/migrations. */
const columnTypes: Record<string, prisma.ColumnType> = {
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  DECIMAL: ColumnTypeEnum.Numeric,
  INTEGER: ColumnTypeEnum.Int32,
  JSONB: ColumnTypeEnum.Json,
  REAL: ColumnTypeEnum.Double,
  TEXT: ColumnTypeEnum.Text,
}

function select(
  { statement, columnNames, columnTypes }: Prepared,
  query: prisma.SqlQuery,
): prisma.SqlResultSet {
  const rows = statement.all(...valuesOf(query)) as unknown[][]
  const ofValue = (value: unknown) =>
    typeof value === 'string' ? ColumnTypeEnum.Text : ColumnTypeEnum.UnknownNumber
  return {
    columnNames,
    columnTypes: columnTypes.map((type, i) => type ?? ofValue(rows[0]?.[i])),
    rows,
  }
}

function write({ statement }: Prepared, query: prisma.SqlQuery): number {
  return statement.run(...valuesOf(query)).changes
}

/** SQLite has no booleans, decimals and dates. */
function valuesOf({ args, argTypes }: prisma.SqlQuery): unknown[] {
  return args.map((value, i) => {
    const type = argTypes[i]?.scalarType
    if (typeof value === 'boolean') return Number(value)
    if (typeof value === 'number') return toBound(value)
    if (type === 'decimal' && typeof value === 'string') return toBound(Number(value))
    const isDate = value instanceof Date || (type === 'datetime' && typeof value === 'string')
    return isDate ? new Date(value).toISOString().replace('Z', '+00:00') : value
  })
}

function converted<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toAdapterError(error)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /^database (table )?is locked/.test(error.message)
}

/** SQLite's codes for faults of the disk, by message: some errors of the driver have no code. */
const diskFaults: Record<string, string> = {
  'attempt to write a readonly database': '8',
  'disk I/O error': '10',
  'database or disk is full': '13',
}

function toAdapterError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'))
    return error
  const { message } = error
  if (isBusy(error)) return new DriverAdapterError({ kind: 'SocketTimeout' })
  const [, constraint, columns = ''] =
    /^(UNIQUE|FOREIGN KEY) constraint failed(?:: (.*))?/.exec(message) ?? []
  if (constraint === 'UNIQUE') {
    const fields = columns.split(', ').map((column) => column.replace(/^.*\./, ''))
    return new DriverAdapterError({ kind: 'UniqueConstraintViolation', constraint: { fields } })
  }
  if (constraint) return new DriverAdapterError({ kind: 'ForeignKeyConstraintViolation' })
  const originalCode = diskFaults[message] ?? '1'
  return new DriverAdapterError({
    kind: 'sqlite',
    extendedCode: Number(originalCode),
    message,
    originalCode,
  })
}

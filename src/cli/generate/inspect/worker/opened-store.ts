import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ReadableStore } from '../../../../generator/inspect/count-records.ts'
import type { Inspection } from './messages.ts'

/** A store that is open for reading. The end of the process closes it. */
export interface OpenedStore extends ReadableStore {
  /** Lists the changes that the app has not applied yet; `all` if it has not started on this store yet. */
  waiting(): Promise<readonly string[] | 'all'>
}

/** The number of records in one read. */
export const batchSize = 1_000

/** The time to connect. */
export const connectTimeoutMs = 5_000

/** Loads a driver of the project. */
export function loadDriver<Driver>({ root }: Pick<Inspection, 'root'>, name: string): Driver {
  return createRequire(join(root, 'package.json'))(name)
}

/** Returns the project's own parser of its URLs. */
export async function connectionOf<Connection>({ root, databaseUrl }: Inspection) {
  const path = 'src/infra/connection.ts'
  const module: { connectionOf?: (url: string) => Connection } = await import(
    pathToFileURL(join(root, path)).href
  )
  if (module.connectionOf) return module.connectionOf(databaseUrl)
  throw new Error(`${path} does not export connectionOf`)
}

/** Runs a query, with the values of its placeholders. */
export type RunQuery = (
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The differences between the relational kinds. */
export interface SqlStyle {
  /** Returns the escaped name of a table. */
  readonly table: (name: string) => string
  readonly column: (name: string) => string
  /** Returns the query of one batch: its columns, its table, and one placeholder for the last id. */
  readonly batch: (columns: string, table: string) => string
  /** Returns the expression that reads a column. */
  readonly value?: (name: string) => string
  /** Returns true if the error says that a table is missing. */
  readonly isMissing: (error: unknown) => boolean
}

/** Opens a store with tables, whose migrations Prisma's own table lists. */
export function openTables(
  run: RunQuery,
  { table, column, batch, value = column, isMissing }: SqlStyle,
  { migrations }: Inspection,
): OpenedStore {
  return {
    async waiting() {
      const known = 'finished_at IS NOT NULL AND rolled_back_at IS NULL'
      const sql = `SELECT migration_name AS name FROM ${table('_prisma_migrations')} WHERE ${known}`
      try {
        const applied = new Set((await run(sql, [])).map(({ name }) => name))
        return migrations.filter((name) => !applied.has(name))
      } catch (error) {
        if (isMissing(error)) return 'all'
        throw error
      }
    },
    async count(name) {
      const [row] = await run(`SELECT count(*) AS total FROM ${table(name)}`, [])
      return Number(row?.total ?? 0)
    },
    async *scan(name, columns) {
      const names = ['id', ...columns.filter((each) => each !== 'id')]
      const list = names.map((each) => `${value(each)} AS ${column(each)}`).join(', ')
      let last = 0
      for (;;) {
        const rows = await run(batch(list, table(name)), [last])
        yield rows
        if (rows.length < batchSize) return
        last = Number(rows.at(-1)?.id)
      }
    },
  }
}

/** Returns the first reason to wait: a field of the code that the stored schema of a collection lacks. */
export async function waitingFields(
  { fields }: Inspection,
  storedFields: (collection: string) => Promise<readonly string[] | undefined>,
): Promise<readonly string[] | 'all'> {
  const stored = await Promise.all(
    Object.keys(fields).map(async (name) => [name, await storedFields(name)] as const),
  )
  if (stored.length > 0 && stored.every(([, found]) => found === undefined)) return 'all'
  return stored.flatMap(([name, found]) => {
    if (found === undefined) return [name]
    const missing = (fields[name] ?? []).filter((field) => !found.includes(field))
    return missing.map((field) => `${name}.${field}`)
  })
}

/** Returns the names of the fields of a stored collection. */
export function namesIn(collection: unknown): readonly string[] | undefined {
  if (typeof collection !== 'object' || collection === null) return undefined
  const fields = 'fields' in collection ? collection.fields : undefined
  if (typeof fields !== 'object' || fields === null) return undefined
  return Object.values(fields).flatMap((field: unknown) =>
    typeof field === 'object' && field !== null && 'name' in field ? [String(field.name)] : [],
  )
}

import type { Kysely, Selectable } from 'kysely'
import type { Environment } from '../domain/records.ts'
import type { Access } from './access.ts'
import type { Connection } from './connection.ts'
import { createKysely, idsAsText, oneOf } from './dialect.ts'
import { toEnvironment } from './environment-rows.ts'
import type { ReadMany } from './environments.ts'
import type { LiveRows } from './live-rows.ts'
import { fromJson } from './rows.ts'
import type { EnvironmentTable, Schema } from './schema.ts'

/**
 * Reads committed environments: first the ids, then only the rows missing in the cache. No `await` separates the two
 * statements and the cache access, so that all see the same commit.
 */
export function readCommitted(reader: Connection, cache: LiveRows): ReadMany {
  const db = createKysely(reader)
  return async (query) => {
    const { sql, parameters } = idsAsText(db, query(db))
    const [row] = reader.query(sql, parameters).rows
    const ids = fromJson<number[]>(String(row?.ids))
    const missing = ids.filter((id) => cache.get(id) === undefined)
    const read = new Map(readRows(db, reader, missing).map((row) => [row.id, row]))
    for (const row of read.values()) cache.put(row)
    return ids
      .sort((a, b) => a - b)
      .flatMap((id): Environment[] => {
        const row = read.get(id) ?? cache.get(id)
        return row ? [row] : []
      })
  }
}

function readRows(db: Kysely<Schema>, reader: Connection, ids: readonly number[]): Environment[] {
  if (ids.length === 0) return []
  const { sql, parameters } = byIds(db, ids).compile()
  // `selectAll` returns exactly these columns.
  return (reader.query(sql, parameters).rows as unknown as Selectable<EnvironmentTable>[]).map(
    toEnvironment,
  )
}

/** Reads environments inside a transaction. Bypasses the cache, because the rows may be uncommitted. */
export function readInTransaction({ db }: Access): ReadMany {
  return async (query) => {
    const ids = await query(db).execute()
    const rows = await byIds(
      db,
      ids.map(({ id }) => id),
    ).execute()
    return rows.map(toEnvironment)
  }
}

function byIds(db: Kysely<Schema>, ids: readonly number[]) {
  return db.selectFrom('environments').selectAll().where('id', 'in', oneOf(ids)).orderBy('id')
}

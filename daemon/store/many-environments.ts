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
 * Reads ids, and of the rows only those that are not kept. Both statements and the keeping happen with no `await`
 * between, so that no commit comes in between.
 */
export function readCommitted(reader: Connection, kept: LiveRows): ReadMany {
  const db = createKysely(reader)
  return async (query) => {
    const { sql, parameters } = idsAsText(db, query(db))
    const [found] = reader.query(sql, parameters).rows
    const ids = fromJson<number[]>(String(found?.ids))
    const missing = ids.filter((id) => kept.get(id) === undefined)
    const read = new Map(readRows(db, reader, missing).map((row) => [row.id, row]))
    for (const row of read.values()) kept.put(row)
    return ids
      .sort((a, b) => a - b)
      .flatMap((id): Environment[] => {
        const row = read.get(id) ?? kept.get(id)
        return row ? [row] : []
      })
  }
}

function readRows(db: Kysely<Schema>, reader: Connection, ids: readonly number[]): Environment[] {
  if (ids.length === 0) return []
  const { sql, parameters } = byIds(db, ids).compile()
  // The columns are those of `selectAll`.
  return (reader.query(sql, parameters).rows as unknown as Selectable<EnvironmentTable>[]).map(
    toEnvironment,
  )
}

/** Inside a transaction: what it sees, which is nobody else's to know yet. */
export function readWithin({ db }: Access): ReadMany {
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

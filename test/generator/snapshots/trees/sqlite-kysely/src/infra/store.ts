import { Kysely, sql } from 'kysely'
import { openFile } from './database-file.js'
import { createDialect } from './driver.js'
import type { Tables } from './queries.js'

export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database file. Throws StoreError. */
export async function openStore(databaseUrl: string) {
  const db = new Kysely<Tables>({ dialect: createDialect(openFile(databaseUrl)) })
  // `SELECT 1` would not read the file.
  const ping = () => sql`SELECT count(*) FROM sqlite_schema`.execute(db)
  return { db, ping, close: () => db.destroy() }
}

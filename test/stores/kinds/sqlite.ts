import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import * as z from 'zod'
import { dropTable, holdWrites } from '../../support/apps/sqlite-file.ts'
import type { Kind } from './kind.ts'

/** Returns SQLite as a kind: databases are files, without a server. */
export async function startSqlite(): Promise<Kind> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-sqlite-'))
  let made = 0
  return {
    name: 'SQLite',
    version: await askVersion(),
    freshDatabase: async () => {
      made += 1
      return `file:${join(folder, `${made}.db`)}`
    },
    contents: async () => readdirSync(folder),
    dropTable,
    holdWrites,
    // An open write transaction blocks requests, like a suspended server of other kinds.
    freeze: holdWrites,
    server: { skipped: 'SQLite has no server' },
    stop: async () => rmSync(folder, { recursive: true }),
  }
}

async function askVersion(): Promise<string> {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('SELECT sqlite_version() AS version').get()
  database.close()
  const manifest = new URL(
    '../../../node_modules/@photostructure/sqlite/package.json',
    import.meta.url,
  )
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(manifest, 'utf8')))
  return `${row?.version} (@photostructure/sqlite ${version})`
}

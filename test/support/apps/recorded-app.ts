import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, type InStatement } from '@libsql/client'
import { type BootedApp, bootApp } from './boot.ts'
import type { Program } from './launcher.ts'

export interface Statement {
  readonly sql: string
  readonly values: readonly (string | number | null)[]
}

/** An emitted application on SQLite that records its SQL statements. */
export interface RecordedApp {
  readonly app: BootedApp
  /** A second connection to the database of the application. */
  readonly client: Client
  /** Opens another connection. */
  readonly open: () => Client
  /** Returns the statements of the application during `use`, in order. */
  readonly recorded: (use: () => Promise<unknown>) => Promise<readonly Statement[]>
  readonly stop: () => Promise<void>
}

const recorder = fileURLToPath(new URL('./sql-recorder.mjs', import.meta.url))

export async function bootRecorded({ folder, argv, env }: Program): Promise<RecordedApp> {
  const [node = process.execPath, ...args] = argv
  const data = await mkdtemp(join(tmpdir(), 'conformance-recorded-'))
  const SQL_RECORD = join(data, 'statements')
  const DATABASE_URL = `file:${join(data, 'app.db')}`
  const app = await bootApp({
    folder,
    argv: [node, '--import', recorder, ...args],
    env: { ...env, SQL_RECORD, DATABASE_URL },
  })
  const open = (): Client => createClient({ url: DATABASE_URL })
  const client = open()
  return {
    app,
    client,
    open,
    recorded: async (use) => {
      await writeFile(SQL_RECORD, '')
      await use()
      const lines = (await readFile(SQL_RECORD, 'utf8')).split('\n').filter((line) => line !== '')
      return lines.map((line): Statement => JSON.parse(line)) // the recorder's own lines
    },
    stop: async () => {
      client.close()
      await app.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Returns the lines of SQLite's query plan for a statement. */
export async function planOf(
  store: { readonly execute: (statement: InStatement) => ReturnType<Client['execute']> },
  { sql, values }: Statement,
): Promise<readonly string[]> {
  const { rows } = await store.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: [...values] })
  return rows.map(({ detail }) => String(detail))
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import type { StoreKind } from '../../../../src/generator/model/store-kinds.ts'
import { startPostgres } from '../../postgres.ts'

/** A real database for migrations. */
export interface Database {
  readonly kind: StoreKind
  /** Drops all tables. */
  empty(): Promise<void>
  /** Runs a script like the emitted application. Throws the error of the database. */
  run(script: string): Promise<void>
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly factory: SqlMigrationAwareDriverAdapterFactory
  stop(): Promise<void>
}

/** Opens a SQLite database in a temporary folder. */
export function openSqlite(): Database {
  const root = mkdtempSync(join(tmpdir(), 'strata-sqlite-'))
  const url = `file:${join(root, 'test.db')}`
  const client = createClient({ url })
  const run = async (script: string) => {
    await client.execute('PRAGMA foreign_keys = OFF')
    // A failed statement rolls back the whole script.
    await client.executeMultiple(`BEGIN;\n${script}\n;COMMIT`)
  }
  const rows = async (sql: string) => (await client.execute(sql)).rows.map((row) => ({ ...row }))
  return {
    kind: 'sqlite',
    run,
    rows,
    async empty() {
      const tables = await rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      await run(tables.map(({ name }) => `DROP TABLE "${name}";`).join('\n'))
    },
    factory: new PrismaLibSql({ url }),
    async stop() {
      client.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Creates an empty database on a PostgreSQL server for these tests. */
export async function openPostgres(): Promise<Database> {
  const server = await startPostgres()
  const connectionString = await server.createDatabase()
  const client = new pg.Client({ connectionString })
  await client.connect()
  // The adapter adds a listener for each connection.
  const pool = new pg.Pool({ connectionString }).setMaxListeners(0)
  return {
    kind: 'postgres',
    async empty() {
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    },
    async run(script) {
      try {
        await client.query(`BEGIN;\n${script}\n;COMMIT`)
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      }
    },
    rows: async (sql) => (await client.query(sql)).rows,
    factory: new PrismaPg(readablePool(pool)),
    async stop() {
      await Promise.all([client.end(), pool.end()])
      await server.stop()
    },
  }
}

/** Creates a pool with results that the adapter can read: it does not support the type "char" of the catalogs. */
function readablePool(pool: pg.Pool): pg.Pool {
  const [char, bpchar] = [18, 1042]
  const query = pool.query.bind(pool)
  return Object.assign(pool, {
    async query(...args: Parameters<typeof query>) {
      const result: unknown = await query(...args)
      const { fields } = result as { fields: { dataTypeID: number }[] }
      for (const field of fields) if (field.dataTypeID === char) field.dataTypeID = bpchar
      return result
    },
  })
}

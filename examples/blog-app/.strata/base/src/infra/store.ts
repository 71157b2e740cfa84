import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@libsql/client'
import { PrismaClient } from '../generated/prisma/client.js'
import { LibSqlAdapter } from './libsql.js'
import { applyMigrations } from './migrations.js'

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url))

/** The time to wait for another process: at the start for its migrations, later for its writes. */
const busyTimeoutMs = 5_000

export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database file, or creates a missing one, and applies the migrations. */
export async function openStore(databaseUrl: string) {
  const path = databaseUrl.replace(/^file:(\/\/(?=\/))?/, '')
  const connection = { url: `file:${path}`, timeout: busyTimeoutMs }
  mkdirSync(dirname(path), { recursive: true })

  const client = createClient(connection)
  await client.execute('PRAGMA journal_mode = WAL')
  await applyMigrations(client, migrationsFolder)
  client.close()

  const prisma = new PrismaClient({ adapter: new LibSqlAdapter(connection) })
  // `SELECT 1` would not read the file.
  const ping = () => prisma.$queryRaw`SELECT count(*) FROM sqlite_schema`
  return { prisma, ping, close: () => prisma.$disconnect() }
}

import { PrismaClient } from '../generated/prisma/client.js'
import { openFile } from './database-file.js'
import { createAdapter } from './sqlite-adapter.js'

export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database file. Throws StoreError. */
export async function openStore(databaseUrl: string) {
  const prisma = new PrismaClient({ adapter: createAdapter(openFile(databaseUrl)) })
  // The transaction waits while another process writes. `SELECT 1` would not read the file.
  const ping = () =>
    prisma.$transaction((locked) => locked.$queryRaw`SELECT count(*) FROM sqlite_schema`)
  return { prisma, ping, close: () => prisma.$disconnect() }
}

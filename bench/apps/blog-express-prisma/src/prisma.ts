import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaClient } from './generated/prisma/client.js'

export const prisma = new PrismaClient({
  adapter: new PrismaLibSql({ url: process.env.DATABASE_URL ?? 'file:./dev.db' }),
})

if (process.env.BENCH_WAL) {
  await prisma.$queryRaw`PRAGMA journal_mode = WAL`
  await prisma.$queryRaw`PRAGMA synchronous = NORMAL`
}

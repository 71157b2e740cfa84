import { PrismaLibSql } from '@prisma/adapter-libsql'
import Fastify from 'fastify'
import { PrismaClient } from './generated/prisma/client.js'
import { users } from './users.js'

const prisma = new PrismaClient({
  adapter: new PrismaLibSql({ url: process.env.DATABASE_URL ?? 'file:./dev.db' }),
})
if (process.env.BENCH_WAL) {
  await prisma.$queryRaw`PRAGMA journal_mode = WAL`
  await prisma.$queryRaw`PRAGMA synchronous = NORMAL`
}

const app = Fastify({ logger: true })
app.addHook('onClose', () => prisma.$disconnect())
app.register(users, { prefix: '/api/v1/users', prisma })
await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })

process.once('SIGTERM', () => app.close())

import { defineConfig } from 'prisma/config'

// `prisma generate` never runs the schema engine, but looks for its binary and would download it.
// The other commands of Prisma need the real engine. The app applies its migrations without it.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'file:./data/app.db' },
})

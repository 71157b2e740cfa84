import { defineConfig } from 'prisma/config'

// `prisma generate` never runs the schema engine, but looks for its binary and would download it.
// The migrations are plain SQL that the app applies itself (src/infra/migrations.ts).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgres://localhost/app' },
})

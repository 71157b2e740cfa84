import { defineConfig } from 'prisma/config'

// `generate` never runs the schema engine; naming any file keeps it from being downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })

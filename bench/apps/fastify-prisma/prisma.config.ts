import { defineConfig } from 'prisma/config'

// `prisma generate` does not run the schema engine. Any path here prevents its download.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })

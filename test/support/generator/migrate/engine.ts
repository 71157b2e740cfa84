import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg'

/** Returns the migration of Prisma's engine from one `schema.prisma`, or from nothing, to another. */
export async function engineSql(from: string | undefined, to: string): Promise<string> {
  const provider = to.includes('provider = "sqlite"') ? 'sqlite' : 'postgres'
  const before: Target = from === undefined ? { tag: 'empty' } : schemaTarget(from)
  return diff(canned(provider), to, before)
}

/** Returns the statements with which the engine would adapt a database to the schema. */
export async function drift(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schema: string,
): Promise<readonly string[]> {
  const files = [{ path: 'schema.prisma', content: schema }]
  return statements(await diff(factory, schema, { tag: 'schemaDatasource', files, configDir: '' }))
}

/**
 * Splits a script into statements, without comments and with white space collapsed. Omits what Prisma's engine does not
 * know: collations, and the second parentheses of a default.
 */
export function statements(script: string): readonly string[] {
  return script
    .replace(/^--.*$/gm, '')
    .replaceAll(' COLLATE "C"', '')
    .replace(/\(\((strftime\(.*?\))\)\)/g, '($1)')
    .split(/;\n/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '' && !statement.startsWith('CREATE SCHEMA '))
}

type Target = wasm.DiffTarget

function schemaTarget(content: string): Target {
  return { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] }
}

async function diff(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schema: string,
  from: Target,
): Promise<string> {
  await loaded
  const engine = await wasm.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  )
  const filters = { externalTables: [], externalEnums: [] }
  const to = schemaTarget(schema)
  const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters })
  engine.free()
  return stdout ?? ''
}

const loaded = load()

async function load(): Promise<void> {
  // The engine reports its crashes here. The rejected promise already contains the error.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message() {} } })
  const entry = fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm'))
  const bytes = await readFile(entry.replace('schema_engine.js', 'schema_engine_bg.wasm'))
  // The types of the package omit the function for bundlers, and our types lack WebAssembly.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssembly }
  const glue = wasm as unknown as { __wbg_set_wasm(exports: Exports): void }
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': wasm })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
}

interface WebAssembly {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>
}

interface Exports {
  __wbindgen_start(): void
}

/** A fake connection. The engine needs a connection even to compare two texts, but only reads its version. */
function canned(provider: 'sqlite' | 'postgres'): SqlMigrationAwareDriverAdapterFactory {
  const adapter: SqlDriverAdapter = {
    provider,
    adapterName: 'canned',
    queryRaw: async ({ sql }) =>
      /version/i.test(sql)
        ? {
            columnNames: ['version', 'numeric_version'],
            columnTypes: [ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
            rows: [['PostgreSQL 16.0', 160000]],
          }
        : { columnNames: ['x'], columnTypes: [ColumnTypeEnum.Int32], rows: [] },
    executeRaw: async () => 0,
    executeScript: async () => {},
    startTransaction: () => Promise.reject(new Error('a canned database has no transactions')),
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: async () => {},
  }
  const connect = async () => adapter
  return { provider, adapterName: 'canned', connect, connectToShadowDb: connect }
}

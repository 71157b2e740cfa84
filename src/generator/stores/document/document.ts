import type { Store } from '../store.ts'
import { documentLosses } from './losses.ts'
import { documentRenames } from './renames.ts'
import { documentSchema } from './schema.ts'

/** The settings that the document kinds share. */
export const documentFamily = {
  adapter: 'document',
  devDependencies: {},
  blockedScripts: ['esbuild'],
  generate: '',
  schemaFiles: [],
  installFiles: [],
  buildFiles: [],
  runtimeFiles: [],
  sortsNullLast: false,
  writesAreSerial: false,
  installNote: '',
  growing:
    'The schema of the store is in `src/infra/schema.ts`. When the app starts, it updates indexes and records to the schema.',
  files: (model) => ({
    'src/infra/schema.ts': documentSchema(model),
    ...(model.renames && { 'src/infra/renames.ts': documentRenames(model.renames) }),
  }),
  folders: [],
  infraImports: "'domain'",
  migration: async () => undefined,
  losses: documentLosses,
} satisfies Partial<Store>

import type { Store } from '../store.ts'
import { documentLosses } from './losses.ts'
import { documentSchema } from './schema.ts'

/** What the kinds that keep documents share. */
export const documentFamily = {
  adapter: 'document',
  devDependencies: {},
  blockedScripts: ['esbuild'],
  generate: '',
  schemaFiles: [],
  buildFiles: [],
  runtimeFiles: [],
  installNote: '',
  growing:
    'What the store keeps is said in `src/infra/schema.ts`; the app brings indexes and records up to date with it when it starts.',
  files: (model) => ({ 'src/infra/schema.ts': documentSchema(model) }),
  folders: [],
  infraImports: "'domain'",
  migration: () => undefined,
  losses: documentLosses,
} satisfies Partial<Store>

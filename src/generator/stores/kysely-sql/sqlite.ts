import { sqlite } from '../prisma-sql/sqlite.ts'
import type { Store } from '../store.ts'
import { kyselyVersion, withKysely } from './kysely.ts'

export const kyselySqlite: Store = withKysely(sqlite, {
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/sqlite-file',
      'stores/kysely-sql/common',
      'stores/kysely-sql/sqlite',
    ],
    auth: ['stores/kysely-sql/auth'],
    feature: ['stores/kysely-sql/feature'],
  },
  dependencies: { '@photostructure/sqlite': '1.2.1', kysely: kyselyVersion },
  devDependencies: {},
  blockedScripts: ['@photostructure/sqlite', '@prisma/engines', 'esbuild', 'prisma'],
})

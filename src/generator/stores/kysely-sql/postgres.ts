import { postgres } from '../prisma-sql/postgres.ts'
import type { Store } from '../store.ts'
import { kyselyVersion, withKysely } from './kysely.ts'

export const kyselyPostgres: Store = withKysely(postgres, {
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/postgres-migrations',
      'stores/kysely-sql/common',
      'stores/kysely-sql/postgres',
    ],
    auth: ['stores/kysely-sql/auth'],
    feature: ['stores/kysely-sql/feature'],
  },
  dependencies: { kysely: kyselyVersion, pg: '^8.23.1' },
  devDependencies: { '@types/pg': '^8.15.6' },
  blockedScripts: ['@prisma/engines', 'esbuild', 'prisma'],
})

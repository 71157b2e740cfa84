import { prismaVersion } from '../prisma-sql/prisma.ts'
import type { Store } from '../store.ts'
import { kyselySchema } from './schema.ts'

/** The version of Kysely: 0.28 is the last that runs on Node 20. */
export const kyselyVersion = '0.28.18'

/**
 * Changes the record of a relational kind: Prisma keeps the schema and the migrations, and Kysely runs the queries.
 */
export function withKysely(
  store: Store,
  own: Pick<Store, 'templates' | 'dependencies' | 'devDependencies' | 'blockedScripts'>,
): Store {
  return {
    ...store,
    ...own,
    adapter: 'kysely',
    devDependencies: { ...own.devDependencies, prisma: prismaVersion },
    generate: '',
    schemaFiles: [],
    installFiles: [],
    buildFiles: ['prisma', 'prisma.config.ts'],
    folders: ['prisma/migrations'],
    infraImports: '',
    files: (model) => ({ ...store.files(model), 'src/infra/schema.ts': kyselySchema(model) }),
  }
}

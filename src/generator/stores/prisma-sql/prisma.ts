import type { Dialect } from '../../migrate/dialects/dialect.ts'
import { migrate } from '../../migrate/migrate.ts'
import { nextMigrationFolder } from '../../migrate/migration-folder.ts'
import { migrationLock } from '../../migrate/migration-lock.ts'
import { prismaSchema } from '../../migrate/prisma-schema.ts'
import type { Store } from '../store.ts'

/** The version of all Prisma packages: Prisma tests client and CLI only in the same version. */
export const prismaVersion = '7.10.0'

const migrationsFolder = 'prisma/migrations'

/** Returns the settings that the relational kinds share. `dialect` is given if a kind uses the SQL of another kind. */
export function familyOf(dialect?: Dialect) {
  return {
    adapter: 'prisma',
    devDependencies: { prisma: prismaVersion },
    blockedScripts: ['@prisma/engines', 'esbuild', 'prisma'],
    generate: 'prisma generate',
    schemaFiles: ['prisma/schema.prisma'],
    installFiles: ['.npmrc'],
    buildFiles: ['prisma', 'prisma.config.ts'],
    runtimeFiles: ['prisma'],
    installNote:
      "On Node 20, npm warns that a part of Prisma's command line needs Node 22. The app does not use that part.",
    growing: 'Migrations are plain SQL in `prisma/migrations/`, applied when the app starts.',
    folders: [migrationsFolder, 'src/generated'],
    infraImports: "'generated'",
    files: (model) => ({
      'prisma/schema.prisma': prismaSchema(model, dialect),
      'prisma/migrations/migration_lock.toml': migrationLock(model, dialect),
    }),
    migration(from, to, listFolders) {
      const migration = migrate(from, to, dialect)
      if (migration === undefined) return undefined
      const folder = nextMigrationFolder(listFolders(migrationsFolder), migration.name)
      return {
        path: `${migrationsFolder}/${folder}/migration.sql`,
        text: migration.sql,
        destructive: migration.destructive,
      }
    },
  } satisfies Partial<Store>
}

/** The settings of kinds with their own dialect. */
export const prismaFamily = familyOf()

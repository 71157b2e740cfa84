import type { Dialect } from '../../migrate/dialects/dialect.ts'
import { type Migration, migrate } from '../../migrate/migrate.ts'
import { nextMigrationFolder } from '../../migrate/migration-folder.ts'
import { migrationLock } from '../../migrate/migration-lock.ts'
import type { replaySqlite } from '../../migrate/own-sqlite.ts'
import { prismaSchema } from '../../migrate/prisma-schema.ts'
import { renameMigration } from '../../migrate/rename-migration.ts'
import type { Model } from '../../model/model.ts'
import type { ProjectFolders, Store } from '../store.ts'

/** The version of all Prisma packages: Prisma tests client and CLI only in the same version. */
export const prismaVersion = '7.10.0'

const migrationsFolder = 'prisma/migrations'

interface Options {
  /** Given if a kind uses the SQL of another kind. */
  readonly dialect?: Dialect
  /** Finds objects of a person's own migrations. Given if the store rebuilds tables, which would drop them. */
  readonly replay?: typeof replaySqlite
}

/** Returns the settings that the relational kinds share. */
export function familyOf(options: Options = {}) {
  const { dialect } = options
  return {
    adapter: 'prisma',
    devDependencies: { prisma: prismaVersion },
    blockedScripts: ['@prisma/engines', 'esbuild', 'prisma'],
    generate: 'prisma generate',
    schemaFiles: ['prisma/schema.prisma'],
    installFiles: ['.npmrc'],
    buildFiles: ['prisma', 'prisma.config.ts'],
    runtimeFiles: ['prisma'],
    sortsNullLast: false,
    writesAreSerial: false,
    installNote:
      "On Node 20, npm warns that a part of Prisma's command line needs Node 22. The app does not use that part.",
    growing: 'Migrations are plain SQL in `prisma/migrations/`, applied when the app starts.',
    folders: [migrationsFolder, 'src/generated'],
    infraImports: "'generated'",
    files: (model) => ({
      'prisma/schema.prisma': prismaSchema(model, dialect),
      'prisma/migrations/migration_lock.toml': migrationLock(model, dialect),
    }),
    async migration(from, to, project) {
      const migration = await migrationOf(from, to, project, options)
      if (migration === undefined) return undefined
      const folder = nextMigrationFolder(project.listFolders(migrationsFolder), migration.name)
      return {
        path: `${migrationsFolder}/${folder}/migration.sql`,
        text: migration.sql,
        destructive: migration.destructive,
      }
    },
    async renameMigration(from, to, project) {
      const migration = renameMigration(from, to, dialect)
      if (migration === undefined) return undefined
      await tryMigration(migration.sql, from, project, options)
      const folder = nextMigrationFolder(project.listFolders(migrationsFolder), migration.name)
      return {
        path: `${migrationsFolder}/${folder}/migration.sql`,
        text: migration.sql,
        destructive: [],
      }
    },
  } satisfies Partial<Store>
}

/** Returns the migration, which carries over the objects of a person's own migrations and passed a trial in memory. */
async function migrationOf(
  from: Model,
  to: Model,
  project: ProjectFolders,
  { dialect, replay }: Options,
): Promise<Migration | undefined> {
  const migration = migrate(from, to, dialect)
  if (!replay || !migration?.altersTables) return migration
  const replayed = await replay(migrationFiles(project), from)
  try {
    const carrying = migrate(from, to, dialect, replayed.own)
    replayed.apply(carrying?.sql ?? '')
    return carrying
  } finally {
    replayed.close()
  }
}

/** Applies a migration in memory, after the project's migrations. Throws StrataError 'conflict' if it fails. */
async function tryMigration(
  sql: string,
  from: Model,
  project: ProjectFolders,
  { replay }: Options,
): Promise<void> {
  if (replay === undefined) return
  const replayed = await replay(migrationFiles(project), from)
  try {
    replayed.apply(sql)
  } finally {
    replayed.close()
  }
}

function migrationFiles({ listFolders, readFile }: ProjectFolders) {
  return listFolders(migrationsFolder)
    .toSorted()
    .flatMap((folder) => {
      const path = `${migrationsFolder}/${folder}/migration.sql`
      const sql = readFile(path)
      return sql === undefined ? [] : [{ path, sql }]
    })
}

/** The settings of kinds with their own dialect. */
export const prismaFamily = familyOf()

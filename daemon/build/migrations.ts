import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of migrations, relative to the folder of an app. Each entry is one migration. */
const folders = ['prisma/migrations', 'drizzle', 'migrations'] as const
/** Names start with a number or a date in all tools that use these folders. */
const migrationName = /^\d[\w.-]{0,199}$/
/** Newest migrations of one app. Older ones are no candidates of a rollback. */
const maxMigrations = 500

/**
 * Returns the names of an app's migrations, as `<folder>/<name>`, sorted. Entries without a number at the start do not
 * count. Returns undefined if the app has no folder of migrations.
 */
export async function readMigrations(app: string): Promise<readonly string[] | undefined> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(app, folder)).catch(() => undefined)
      return names?.filter((name) => migrationName.test(name)).map((name) => `${folder}/${name}`)
    }),
  )
  if (found.every((names) => names === undefined)) return undefined
  return found
    .flatMap((names) => names ?? [])
    .sort()
    .slice(-maxMigrations)
}

import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { renameDurably, syncPath, writeDurably } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Redacted } from '../../ports.ts'
import { readKey } from '../../vault/key-file.ts'
import { forgetUsers } from './forget-users.ts'
import { inspectDatabase } from './inspect-database.ts'
import { databaseName, keyName, type Manifest } from './manifest.ts'
import { moveIn } from './move-in.ts'
import { moveVolumes } from './move-volumes.ts'
import { backupPaths, clearLeftovers, namesIn, timeName } from './paths.ts'
import { raiseIds } from './raise-ids.ts'
import { validateBackup } from './validate.ts'

export type RestoreOutcome =
  | { readonly kind: 'none' }
  /** A restore was applied. `replaced` is the folder, inside the data folder, with the previous state. */
  | { readonly kind: 'applied'; readonly replaced: string }
  | { readonly kind: 'rejected'; readonly reason: string }

export interface ApplyDeps {
  readonly dataDir: string
  /** Absolute paths of the files that a restore replaces. */
  readonly databaseFile: string
  readonly keyFile: string
  /** `SERVICE_MASTER_KEY`. If it is set, the key file is not replaced. */
  readonly masterKey: Redacted | null
  readonly now: () => number
  /** Stops all apps. Called before volumes are replaced, which apps of the previous daemon may use. */
  readonly stopApps?: () => Promise<void>
  /** Called at each failpoint by name. Tests inject faults there. */
  readonly failpoint?: (name: string) => void | Promise<void>
}

/** The journal of a restore in progress. After a kill, the next start completes the restore from it. */
const journalSchema = z.strictObject({
  at: z.number(),
  replaced: z.string().regex(/^replaced-[\w-]+$/),
  takes_key: z.boolean(),
  created_at: z.string(),
  /** Ids of the projects whose volumes are replaced; null for a backup without data. */
  projects: z.array(z.int().positive()).nullable().default(null),
})
export type Journal = z.infer<typeof journalSchema>

/**
 * Applies a staged restore: replaces the database and its key, and the volumes of the projects in a backup with data.
 * Call before any of them is opened. Validates the backup again
 * and moves an invalid backup aside. Irreversible once the journal is on disk: this start or the next start completes
 * the restore. Also removes partial backups and uploads of a killed daemon. `recordRestores` writes the audit records
 * later.
 */
export async function applyStagedRestore(deps: ApplyDeps): Promise<RestoreOutcome> {
  const { dataDir, now, failpoint = () => {} } = deps
  const paths = backupPaths(dataDir)
  await clearLeftovers(dataDir)
  const names = await namesIn(paths.restore)
  if (names.includes('applying.json')) {
    return complete(await readJournal(paths.journal), deps)
  }
  if (!names.includes('staged')) return { kind: 'none' }

  const at = now()
  const result = await validate(deps)
  await failpoint('validated')
  if (typeof result === 'string') {
    await writeFile(join(paths.staged, rejectedName), JSON.stringify({ at, reason: result }))
    await failpoint('reason-written')
    await renameDurably(paths.staged, join(paths.restore, `rejected-${timeName(at)}`))
    return { kind: 'rejected', reason: result }
  }
  const journal: Journal = {
    at,
    replaced: `replaced-${timeName(at)}`,
    takes_key: result.key === 'file' && deps.masterKey === null,
    created_at: result.created_at,
    projects: result.data ? await projectsOf(paths.staged) : null,
  }
  await writeDurably(paths.journal, JSON.stringify(journal))
  await failpoint('journal-written')
  return complete(journal, deps)
}

async function readJournal(path: string): Promise<Journal> {
  const result = journalSchema.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (result.success) return result.data
  throw new DaemonError(
    'internal',
    `${path} was written by another stratad version that started a restore: start that version to complete it`,
  )
}

/** File in the folder of a rejected restore, kept until the audit record is written. */
export const rejectedName = 'rejected.json'

/** Returns the manifest, or the reason why the backup is invalid. */
async function validate({ dataDir, keyFile, masterKey }: ApplyDeps): Promise<Manifest | string> {
  try {
    // A daemon killed during a previous start may have written this file.
    await rm(join(backupPaths(dataDir).staged, rejectedName), { force: true })
    const { staged } = backupPaths(dataDir)
    const current = await readCurrentKey(keyFile)
    const manifest = await validateBackup(staged, { given: masterKey ?? undefined, current })
    if (manifest.data) await refuseOtherDisk(staged, join(dataDir, 'volumes'))
    return manifest
  } catch (error) {
    return error instanceof DaemonError
      ? error.message
      : `the staged backup cannot be read: ${error}`
  }
}

/** Throws DaemonError `unprocessable` if the volumes are on another disk: a move to it can't be atomic. */
async function refuseOtherDisk(staged: string, volumes: string): Promise<void> {
  const target = await stat(volumes).catch(() => undefined)
  if (!target || target.dev === (await stat(staged)).dev) return
  throw new DaemonError(
    'unprocessable',
    `${volumes} is on another file system than the data folder: mount the whole data folder there, and restore again`,
  )
}

/** Returns the ids of the projects in a staged database. */
function projectsOf(staged: string): Promise<number[]> {
  return inspectDatabase(join(staged, databaseName), (database) => [...database.projectIds()])
}

/** Ignore a broken key file: replacing it may be the purpose of the restore. */
async function readCurrentKey(keyFile: string): Promise<Redacted | undefined> {
  try {
    return await readKey(keyFile, () => {})
  } catch {
    return undefined
  }
}

/** Completes a restore. Every step is idempotent, because a killed daemon may have executed it already. */
async function complete(journal: Journal, deps: ApplyDeps): Promise<RestoreOutcome> {
  const { dataDir, failpoint = () => {} } = deps
  const paths = backupPaths(dataDir)
  const replaced = join(dataDir, journal.replaced)
  await mkdir(replaced, { recursive: true, mode: 0o700 })
  await syncPath(dataDir)
  await failpoint('folder-made')
  if (journal.projects) {
    await deps.stopApps?.()
    const volumes = join(dataDir, 'volumes')
    await moveVolumes({
      projects: journal.projects,
      ...{ staged: paths.staged, volumes, replaced, failpoint },
    })
    await failpoint('volumes-moved')
  }
  await moveIn({
    staged: paths.staged,
    replaced,
    databaseFile: deps.databaseFile,
    key: { name: keyName, file: deps.keyFile, isRestored: journal.takes_key },
    failpoint,
  })
  const databases = {
    restored: deps.databaseFile,
    replaced: join(replaced, basename(deps.databaseFile)),
  }
  await raiseIds({ ...databases, dataDir, replacedVolumes: join(replaced, 'volumes') })
  forgetUsers(databases)
  await failpoint('ids-raised')
  await rm(paths.staged, { recursive: true, force: true })
  await failpoint('staged-removed')
  await renameDurably(paths.journal, join(paths.restore, `applied-${timeName(journal.at)}.json`))
  await failpoint('journal-closed')
  return { kind: 'applied', replaced: journal.replaced }
}

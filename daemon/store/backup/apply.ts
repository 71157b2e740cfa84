import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { renameDurably, syncPath, writeDurably } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Redacted } from '../../ports.ts'
import { readKey } from '../../vault/key-file.ts'
import { keyName, type Manifest } from './manifest.ts'
import { moveIn } from './move-in.ts'
import { backupPaths, clearLeftovers, namesIn, timeName } from './paths.ts'
import { validateBackup } from './validate.ts'

export type RestoreOutcome =
  | { readonly kind: 'none' }
  /** `replaced` is the folder, in the data folder, with what was there before. */
  | { readonly kind: 'applied'; readonly replaced: string }
  | { readonly kind: 'rejected'; readonly reason: string }

export interface ApplyDeps {
  readonly dataDir: string
  /** Absolute paths of what a restore replaces. */
  readonly databaseFile: string
  readonly keyFile: string
  /** `SERVICE_MASTER_KEY`: then the file of the key is left alone. */
  readonly masterKey: Redacted | null
  readonly now: () => number
  /** Told of each step by name. */
  readonly reached?: (step: string) => void | Promise<void>
}

/** What an applied restore is to do, and has done; a kill finds it on the disk. */
const journalSchema = z.strictObject({
  at: z.number(),
  replaced: z.string().regex(/^replaced-[\w-]+$/),
  takes_key: z.boolean(),
  created_at: z.string(),
})
export type Journal = z.infer<typeof journalSchema>

/**
 * Puts a staged restore in place of the database and its key. To be called before either is opened, by the only daemon
 * of the data folder. The backup is validated once more; a bad one is set aside and nothing changes. From the moment
 * its journal is on the disk a restore is brought to its end, at this start or at the next. Also clears away what a
 * killed daemon left of backups and uploads. `bookRestores` writes the audit rows once the database is open.
 */
export async function applyStagedRestore(deps: ApplyDeps): Promise<RestoreOutcome> {
  const { dataDir, now, reached = () => {} } = deps
  const paths = backupPaths(dataDir)
  await clearLeftovers(dataDir)
  const names = await namesIn(paths.restore)
  if (names.includes('applying.json')) {
    return finish(await readJournal(paths.journal), deps)
  }
  if (!names.includes('staged')) return { kind: 'none' }

  const at = now()
  const checked = await check(deps)
  await reached('validated')
  if (typeof checked === 'string') {
    await writeFile(join(paths.staged, rejectedName), JSON.stringify({ at, reason: checked }))
    await reached('reason-written')
    await renameDurably(paths.staged, join(paths.restore, `rejected-${timeName(at)}`))
    return { kind: 'rejected', reason: checked }
  }
  const journal: Journal = {
    at,
    replaced: `replaced-${timeName(at)}`,
    takes_key: checked.key === 'file' && deps.masterKey === null,
    created_at: checked.created_at,
  }
  await writeDurably(paths.journal, JSON.stringify(journal))
  await reached('journal-written')
  return finish(journal, deps)
}

async function readJournal(path: string): Promise<Journal> {
  const result = journalSchema.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (result.success) return result.data
  throw new DaemonError(
    'internal',
    `${path} is of another stratad, which began a restore: start that one to bring it to its end`,
  )
}

/** In the folder of a restore that was set aside, until its audit row is written. */
export const rejectedName = 'rejected.json'

/** The manifest, or why the backup is bad. */
async function check({ dataDir, keyFile, masterKey }: ApplyDeps): Promise<Manifest | string> {
  try {
    // Of a kill after the last verdict.
    await rm(join(backupPaths(dataDir).staged, rejectedName), { force: true })
    return await validateBackup(backupPaths(dataDir).staged, {
      given: masterKey ?? undefined,
      kept: await keyInPlace(keyFile),
    })
  } catch (error) {
    return error instanceof DaemonError
      ? error.message
      : `the staged backup can't be read: ${error}`
  }
}

/** A broken one is no reason against a restore: it may be what the restore is for. */
async function keyInPlace(keyFile: string): Promise<Redacted | undefined> {
  try {
    return await readKey(keyFile, () => {})
  } catch {
    return undefined
  }
}

/** Every step may have been done already: by a daemon that was killed after it. */
async function finish(journal: Journal, deps: ApplyDeps): Promise<RestoreOutcome> {
  const { dataDir, reached = () => {} } = deps
  const paths = backupPaths(dataDir)
  const replaced = join(dataDir, journal.replaced)
  await mkdir(replaced, { recursive: true, mode: 0o700 })
  await syncPath(dataDir)
  await reached('folder-made')
  await moveIn({
    staged: paths.staged,
    replaced,
    databaseFile: deps.databaseFile,
    key: { name: keyName, file: deps.keyFile, isTaken: journal.takes_key },
    reached,
  })
  await rm(paths.staged, { recursive: true, force: true })
  await reached('staged-removed')
  await renameDurably(paths.journal, join(paths.restore, `applied-${timeName(journal.at)}.json`))
  await reached('journal-closed')
  return { kind: 'applied', replaced: journal.replaced }
}

import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent, renameDurably, syncPath } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Archives, Database, KeyVault } from '../../ports.ts'
import { createArchive } from './archive.ts'
import { type BackupPaths, backupPaths, partial } from './paths.ts'
import { unpackArchive } from './unpack.ts'
import { validateBackup } from './validate.ts'

/** Each takes the size of the database on disk while it is being fetched. */
const mostAtOnce = 2

export interface ArchiveDeps {
  readonly database: Pick<Database, 'snapshot'>
  readonly vault: KeyVault
  readonly dataDir: string
  /** The most that a tar to restore may have. */
  readonly restoreMaxBytes: number
  readonly now: () => number
  /** Told of each step by name, as it begins. */
  readonly reached?: (step: string) => void | Promise<void>
}

/** Backups of a data folder, and restores staged in it. */
export function createArchives(deps: ArchiveDeps): Archives {
  let making = 0
  let isStaging = false

  return {
    async create() {
      if (making >= mostAtOnce) {
        throw new DaemonError('conflict', 'two backups are being fetched: wait for one to end')
      }
      making += 1
      try {
        const archive = await createArchive(deps)
        archive.body.once('close', () => {
          making -= 1
        })
        return archive
      } catch (error) {
        making -= 1
        throw error
      }
    },

    async stage(body) {
      if (isStaging) {
        throw new DaemonError('conflict', 'another restore is being staged: wait for its end')
      }
      isStaging = true
      try {
        return await stage(body, deps)
      } finally {
        isStaging = false
      }
    },
  }
}

async function stage(
  body: NodeJS.ReadableStream,
  { vault, dataDir, restoreMaxBytes, reached = () => {} }: ArchiveDeps,
): Promise<{ createdAt: number }> {
  const paths = backupPaths(dataDir)
  const folder = join(paths.restore, `${randomBytes(6).toString('hex')}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await reached('stage:unpack')
    await unpackArchive(body, folder, restoreMaxBytes)
    await reached('stage:validate')
    const key = vault.key(vault.keyId())
    const manifest = await validateBackup(folder, {
      given: vault.keptIn === 'environment' ? key : undefined,
      kept: key,
    })
    await syncPath(folder)
    await reached('stage:set-aside')
    await setAside(paths)
    await reached('stage:put')
    await renameDurably(folder, paths.staged)
    await reached('stage:clear')
    await rm(paths.stagedBefore, { recursive: true, force: true })
    return { createdAt: Date.parse(manifest.created_at) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One that was staged before makes way; cut off in between, `clearLeftovers` puts it back. */
async function setAside({ staged, stagedBefore }: BackupPaths): Promise<void> {
  await rm(stagedBefore, { recursive: true, force: true })
  try {
    await rename(staged, stagedBefore)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

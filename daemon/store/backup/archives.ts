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

/** Maximum number of parallel backups. Each requires as much disk space as the database. */
const maxBackups = 2

export interface ArchiveDeps {
  readonly database: Pick<Database, 'snapshot'>
  readonly vault: KeyVault
  readonly dataDir: string
  /** Maximum size of a tar to restore, in bytes. */
  readonly restoreMaxBytes: number
  readonly now: () => number
  /** Called at each failpoint by name. Tests inject faults there. */
  readonly failpoint?: (name: string) => void | Promise<void>
}

/** Creates backups of a data folder and stages restores in it. */
export function createArchives(deps: ArchiveDeps): Archives {
  let running = 0
  let isStaging = false

  return {
    async create() {
      if (running >= maxBackups) {
        throw new DaemonError('conflict', 'two backups are running: wait for one to end')
      }
      running += 1
      try {
        const archive = await createArchive(deps)
        archive.body.once('close', () => {
          running -= 1
        })
        return archive
      } catch (error) {
        running -= 1
        throw error
      }
    },

    async stage(body) {
      if (isStaging) {
        throw new DaemonError('conflict', 'another restore is being staged: wait until it ends')
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
  { vault, dataDir, restoreMaxBytes, failpoint = () => {} }: ArchiveDeps,
): Promise<{ createdAt: number }> {
  const paths = backupPaths(dataDir)
  const folder = join(paths.restore, `${randomBytes(6).toString('hex')}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await failpoint('stage:unpack')
    await unpackArchive(body, folder, restoreMaxBytes)
    await failpoint('stage:validate')
    const key = vault.key(vault.keyId())
    const manifest = await validateBackup(folder, {
      given: vault.keptIn === 'environment' ? key : undefined,
      current: key,
    })
    await syncPath(folder)
    await failpoint('stage:set-aside')
    await setAside(paths)
    await failpoint('stage:put')
    await renameDurably(folder, paths.staged)
    await failpoint('stage:clear')
    await rm(paths.stagedBefore, { recursive: true, force: true })
    return { createdAt: Date.parse(manifest.created_at) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves the previously staged restore aside. After a kill in between, `clearLeftovers` moves it back. */
async function setAside({ staged, stagedBefore }: BackupPaths): Promise<void> {
  await rm(stagedBefore, { recursive: true, force: true })
  try {
    await rename(staged, stagedBefore)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

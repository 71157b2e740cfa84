import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAbsent, renameDurably, syncPath } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Archives, Database, KeyVault, Repositories } from '../../ports.ts'
import { createArchive } from './archive.ts'
import { refuseSmallDisk } from './disk-space.ts'
import { dataName } from './manifest.ts'
import { type BackupPaths, backupPaths, partial } from './paths.ts'
import { completeData } from './staged-data.ts'
import { diskFull, tooLarge, unpackArchive } from './unpack.ts'
import { validateBackup } from './validate.ts'

/** Maximum number of parallel backups. Each requires as much disk space as the largest database. */
const maxBackups = 2

export interface ArchiveDeps {
  readonly database: Pick<Database, 'snapshot'>
  /** Absolute path of the database. */
  readonly databaseFile: string
  readonly vault: KeyVault
  /** Command of the volume reader. */
  readonly reader: readonly string[]
  readonly dataDir: string
  /** Maximum size of a tar to restore, in bytes. */
  readonly restoreMaxBytes: number
  /** SERVICE_DISK_RESERVE_MB. */
  readonly diskReserveMb: number | null
  /** See `Repositories.snapshot`. */
  readonly copyRepositories?: Repositories['snapshot']
  readonly now: () => number
  /** Called at each failpoint by name. Tests inject faults there. */
  readonly failpoint?: (name: string) => void | Promise<void>
}

/** Creates backups of a data folder and stages restores in it. */
export function createArchives(deps: ArchiveDeps): Archives {
  let running = 0
  let isStaging = false

  return {
    async create({ withData }) {
      if (running >= maxBackups) {
        throw new DaemonError('conflict', 'two backups are running: wait for one to end')
      }
      running += 1
      try {
        const archive = await createArchive(deps, withData)
        archive.body.once('close', () => {
          running -= 1
        })
        return archive
      } catch (error) {
        running -= 1
        throw error
      }
    },

    async stage(body, announcedBytes) {
      if (isStaging) {
        throw new DaemonError('conflict', 'another restore is being staged: wait until it ends')
      }
      isStaging = true
      try {
        return await stage(body, announcedBytes, deps)
      } finally {
        isStaging = false
      }
    },
  }
}

async function stage(
  body: NodeJS.ReadableStream,
  announcedBytes: number,
  { vault, dataDir, restoreMaxBytes, failpoint = () => {} }: ArchiveDeps,
): Promise<{ createdAt: number; hasData: boolean }> {
  const paths = backupPaths(dataDir)
  const folder = join(paths.restore, `${randomBytes(6).toString('hex')}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    if (announcedBytes > restoreMaxBytes) throw tooLarge(restoreMaxBytes)
    await refuseSmallDisk(folder, announcedBytes, 'the backup')
    await failpoint('stage:unpack')
    await unpackArchive(body, folder, restoreMaxBytes)
    await failpoint('stage:validate')
    const key = vault.key(vault.keyId())
    const keys = { given: vault.keptIn === 'environment' ? key : undefined, current: key }
    const manifest = await validateBackup(folder, keys, async ({ data }) => {
      if (!data) return
      await mkdir(join(folder, dataName), { recursive: true, mode: 0o700 })
      await completeData(folder)
    })
    await flush(folder)
    await failpoint('stage:set-aside')
    await setAside(paths)
    await failpoint('stage:put')
    await renameDurably(folder, paths.staged)
    await failpoint('stage:clear')
    await rm(paths.stagedBefore, { recursive: true, force: true })
    return { createdAt: Date.parse(manifest.created_at), hasData: manifest.data !== undefined }
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? diskFull(error)
      : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Flushes the disk of a folder at once. Flushing each file would take minutes for many small files. */
async function flush(folder: string): Promise<void> {
  const args = process.platform === 'linux' ? ['-f', folder] : []
  await promisify(execFile)('sync', args, { env: { PATH: '/usr/bin:/bin' } })
  await syncPath(folder)
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

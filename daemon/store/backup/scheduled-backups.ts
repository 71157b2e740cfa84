import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { renameDurably } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Archive, BackupHealth, Clock } from '../../ports.ts'
import { freeBytes, reserveOf } from './disk-space.ts'
import { backupPaths, namesIn, partial } from './paths.ts'

export interface ScheduledBackups {
  health(): BackupHealth
  /** Aborts a running backup and resolves when it has ended. */
  stop(): Promise<void>
}

/**
 * Writes a backup into `<data>/backups` every `intervalMs` and keeps the newest `keep` backups. The interval starts at
 * the newest existing backup, so that a restart neither skips nor repeats a backup. Calls `written` with the number of
 * missing entries. After a failure, calls `failed` and retries after a minute, or after `intervalMs` if shorter. A backup
 * fails rather than fill the disk.
 */
export function startScheduledBackups({
  create,
  dataDir,
  intervalMs,
  keep,
  diskReserveMb = null,
  clock,
  failed,
  written = () => {},
}: {
  create: () => Promise<Archive>
  dataDir: string
  intervalMs: number
  keep: number
  /** SERVICE_DISK_RESERVE_MB. */
  diskReserveMb?: number | null
  clock: Clock
  failed: (error: unknown) => void
  written?: (backup: { fileName: string; skipped: number }) => void
}): ScheduledBackups {
  const { backups } = backupPaths(dataDir)
  const stop = new AbortController()
  const { signal } = stop
  let health: BackupHealth = { newestAt: null, skipped: 0, fault: null }
  const fail = (error: unknown) => {
    health = { ...health, fault: error instanceof Error ? error.message : String(error) }
    failed(error)
  }
  const run = async () => {
    // Ignore a time in the future, which comes from a wrong clock.
    const newest = await newestAt(backups)
    health = { ...health, newestAt: newest === 0 ? null : newest }
    let due = Math.min(newest, clock.now()) + intervalMs
    while (!signal.aborted) {
      // Node's timers are limited to 24.8 days.
      const wait = Math.min(due - clock.now(), maxWaitMs)
      if (wait > 0) await clock.wait(wait, signal)
      if (clock.now() < due) continue
      try {
        const backup = await writeBackup({ create, folder: backups, diskReserveMb, signal })
        health = { newestAt: clock.now(), skipped: backup.skipped, fault: null }
        written(backup)
        await prune(backups, keep)
        due = clock.now() + intervalMs
      } catch (error) {
        if (signal.aborted) return
        fail(error)
        due = clock.now() + Math.min(intervalMs, retryMs)
      }
    }
  }
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) fail(error)
  })
  return {
    health: () => health,
    async stop() {
      stop.abort()
      await running
    },
  }
}

const maxWaitMs = 24 * 3600 * 1000
const retryMs = 60_000
const backupFile = /^strata-backup-[\dTZ-]+\.tar$/

async function writeBackup({
  create,
  folder,
  diskReserveMb,
  signal,
}: {
  create: () => Promise<Archive>
  folder: string
  diskReserveMb: number | null
  signal: AbortSignal
}): Promise<{ fileName: string; skipped: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { fileName, body, skipped } = await create()
  const part = join(folder, `${fileName}${partial}`)
  try {
    const target = createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(body, keepDiskFree(folder, diskReserveMb), target, { signal })
    await renameDurably(part, join(folder, fileName))
    return { fileName, skipped: skipped() }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Forwards chunks, and fails when the disk of `folder` has less than its reserve free. */
function keepDiskFree(folder: string, diskReserveMb: number | null): Transform {
  let unchecked = Number.POSITIVE_INFINITY
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unchecked += chunk.length
      if (unchecked < checkBytes) return done(null, chunk)
      unchecked = 0
      refuseFullDisk(folder, diskReserveMb).then(() => done(null, chunk), done)
    },
  })
}

/** Number of bytes between two checks of the disk. */
const checkBytes = 16 * 2 ** 20

async function refuseFullDisk(folder: string, diskReserveMb: number | null): Promise<void> {
  const [free, reserve] = [await freeBytes(folder), await reserveOf(folder, diskReserveMb)]
  if (free === undefined || free >= reserve) return
  const mib = (bytes: number) => Math.floor(bytes / 2 ** 20)
  throw new DaemonError(
    'transient',
    `the disk of ${folder} has ${mib(free)} MiB free, and a scheduled backup leaves ${mib(reserve)} MiB free: free some space, or lower SERVICE_BACKUP_KEEP`,
  )
}

/** Returns the time of the newest backup; 0 if there is none. */
async function newestAt(folder: string): Promise<number> {
  const newest = (await namesIn(folder)).filter((name) => backupFile.test(name)).at(-1)
  return newest === undefined ? 0 : (await stat(join(folder, newest))).mtimeMs
}

/** Removes all but the newest `keep` backups. Names sort by time. */
async function prune(folder: string, keep: number): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => backupFile.test(name))
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    await rm(join(folder, name), { force: true })
  }
}

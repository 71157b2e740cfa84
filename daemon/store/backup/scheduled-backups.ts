import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { renameDurably } from '../../durable-files.ts'
import type { Clock } from '../../ports.ts'
import { backupPaths, namesIn, partial } from './paths.ts'

export interface ScheduledBackups {
  /** Aborts a running backup and resolves when it has ended. */
  stop(): Promise<void>
}

/**
 * Writes a backup into `<data>/backups` every `intervalMs` and keeps the newest `keep` backups. The interval starts at
 * the newest existing backup, so that a restart neither skips nor repeats a backup. After a failure, calls `failed` and
 * retries after a minute, or after `intervalMs` if shorter.
 */
export function startScheduledBackups({
  create,
  dataDir,
  intervalMs,
  keep,
  clock,
  failed,
}: {
  create: () => Promise<{ fileName: string; body: NodeJS.ReadableStream }>
  dataDir: string
  intervalMs: number
  keep: number
  clock: Clock
  failed: (error: unknown) => void
}): ScheduledBackups {
  const { backups } = backupPaths(dataDir)
  const stop = new AbortController()
  const { signal } = stop
  const run = async () => {
    // Ignore a time in the future, which comes from a wrong clock.
    let due = Math.min(await newestAt(backups), clock.now()) + intervalMs
    while (!signal.aborted) {
      // Node's timers are limited to 24.8 days.
      const wait = Math.min(due - clock.now(), maxWaitMs)
      if (wait > 0) await clock.wait(wait, signal)
      if (clock.now() < due) continue
      try {
        await writeBackup(create, backups, signal)
        await prune(backups, keep)
        due = clock.now() + intervalMs
      } catch (error) {
        if (signal.aborted) return
        failed(error)
        due = clock.now() + Math.min(intervalMs, retryMs)
      }
    }
  }
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) failed(error)
  })
  return {
    async stop() {
      stop.abort()
      await running
    },
  }
}

const maxWaitMs = 24 * 3600 * 1000
const retryMs = 60_000
const backupFile = /^strata-backup-[\dTZ-]+\.tar$/

async function writeBackup(
  create: () => Promise<{ fileName: string; body: NodeJS.ReadableStream }>,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { fileName, body } = await create()
  const part = join(folder, `${fileName}${partial}`)
  try {
    await pipeline(body, createWriteStream(part, { mode: 0o600, flush: true }), { signal })
    await renameDurably(part, join(folder, fileName))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
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

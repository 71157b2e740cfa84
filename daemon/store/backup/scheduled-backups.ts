import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { renameDurably } from '../../durable-files.ts'
import type { Clock } from '../../ports.ts'
import { backupPaths, namesIn, partial } from './paths.ts'

export interface ScheduledBackups {
  /** Resolves when the one that is being made is done with, or given up. */
  stop(): Promise<void>
}

/**
 * Writes a backup into `<data>/backups` every `intervalMs`, counted from the newest there so that a restart neither
 * skips nor repeats one, and keeps the newest `keep`. `create` makes the tar; `failed` is told when one could not be
 * made: the next comes after a minute, or the interval if that is shorter.
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
    // A time to come is of a clock that was wrong.
    let due = Math.min(await newestAt(backups), clock.now()) + intervalMs
    while (!signal.aborted) {
      // Timers end at 24.8 days.
      const wait = Math.min(due - clock.now(), longestWaitMs)
      if (wait > 0) await clock.wait(wait, signal)
      if (clock.now() < due) continue
      try {
        await writeBackup(create, backups, signal)
        await prune(backups, keep)
        due = clock.now() + intervalMs
      } catch (error) {
        if (signal.aborted) return
        failed(error)
        due = clock.now() + Math.min(intervalMs, afterFailureMs)
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

const longestWaitMs = 24 * 3600 * 1000
const afterFailureMs = 60_000
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

/** When the newest backup was written; 0 when there is none. */
async function newestAt(folder: string): Promise<number> {
  const newest = (await namesIn(folder)).filter((name) => backupFile.test(name)).at(-1)
  return newest === undefined ? 0 : (await stat(join(folder, newest))).mtimeMs
}

/** Names sort by time. */
async function prune(folder: string, keep: number): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => backupFile.test(name))
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    await rm(join(folder, name), { force: true })
  }
}

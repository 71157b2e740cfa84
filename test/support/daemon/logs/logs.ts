import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FreeFileRange } from '../../../../daemon/logs/free-file-range.ts'
import type { LogLimits } from '../../../../daemon/logs/limits.ts'
import { createLogs } from '../../../../daemon/logs/logs.ts'
import type { Clock, LogLine } from '../../../../daemon/ports.ts'

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Date.now(),
  wait: (ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }),
}

/** Creates a temporary log folder. Each call of `open` simulates a new daemon. */
export function temporaryLogs() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-logs-'))
  const faults: unknown[] = []
  return {
    folder,
    faults,
    open: (limits: Partial<LogLimits> = {}, freeFileRange?: FreeFileRange) =>
      createLogs({
        folder,
        clock: realClock,
        limits,
        report: (error) => faults.push(error),
        ...(freeFileRange && { freeFileRange }),
      }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
    /** Returns the file descriptors of this process that point into the folder. */
    openFiles: () =>
      readdirSync('/proc/self/fd').filter((descriptor) => target(descriptor).startsWith(folder)),
  }
}

function target(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** Reads `count` lines. */
export async function takeLines(lines: AsyncIterable<LogLine>, count: number): Promise<LogLine[]> {
  const taken: LogLine[] = []
  for await (const line of lines) {
    taken.push(line)
    if (taken.length >= count) break
  }
  return taken
}

export const textsOf = (lines: readonly LogLine[]) => lines.map(({ line }) => line)

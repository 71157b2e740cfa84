import type { Clock } from '../ports.ts'
import type { FreeFileRange } from './free-file-range.ts'
import type { LogLimits } from './limits.ts'
import type { RawFile } from './raw-file.ts'
import { appStreams, rawPath } from './raw-files.ts'
import type { AppStream, NewLine } from './record.ts'
import type { StoredLog } from './stored-log.ts'

/** Keeps the raw files of a running app small. */
export interface Reclaimer {
  /** Call after lines of a stream have been written to the log. */
  reclaim(stream: AppStream): Promise<void>
  stop(): Promise<void>
}

export interface ReclaimerDeps {
  /** The environment's folder. */
  readonly folder: string
  readonly log: StoredLog
  readonly limits: LogLimits
  readonly clock: Clock
  readonly freeFileRange: FreeFileRange
}

/** Size, in pieces, from which a file without hole support is truncated even if part of it is unread. */
const forceAfterPieces = 4

/**
 * Frees the disk space of raw output that is in the log. Punching holes loses no output. Without hole support, a file
 * is truncated once all of it was read; output that the app writes at that moment is lost.
 */
export function createReclaimer({
  folder,
  log,
  limits,
  clock,
  freeFileRange,
  files,
}: ReclaimerDeps & { files: Partial<Record<AppStream, RawFile>> }): Reclaimer {
  const reclaimed = { stdout: 0, stderr: 0 }
  const forceAtBytes = forceAfterPieces * limits.reclaimBytes
  let canFreeRanges = true
  let freeing: Promise<void> | undefined

  return {
    async reclaim(stream) {
      if (!isDue(stream)) return
      if (!canFreeRanges) return truncateFile(stream)
      freeing ??= freeRanges().finally(() => {
        freeing = undefined
      })
    },
    async stop() {
      await freeing
    },
  }

  function isDue(stream: AppStream): boolean {
    return log.consumed()[stream] - reclaimed[stream] >= limits.reclaimBytes
  }

  /** Repeats until no stream needs it, because reading continues meanwhile. */
  async function freeRanges(): Promise<void> {
    for (
      let stream = appStreams.find(isDue);
      stream && canFreeRanges;
      stream = appStreams.find(isDue)
    ) {
      const to = log.consumed()[stream]
      canFreeRanges = await freeFileRange(rawPath(folder, stream), reclaimed[stream], to)
      if (canFreeRanges) reclaimed[stream] = to
    }
  }

  /**
   * Marks the log before and after the truncation. If the daemon dies in between, the next daemon finds the first mark.
   */
  async function truncateFile(stream: AppStream): Promise<void> {
    const file = files[stream]
    if (!file?.canTruncate(forceAtBytes)) return
    const ts = new Date(clock.now()).toISOString()
    const rest: NewLine[] = file
      .flush()
      .map(({ text, end }) => ({ ts, stream, line: text, raw: end }))
    await log.add(rest)
    await log.mark(log.consumed(), stream)
    const lost = file.truncate(forceAtBytes)
    if (lost === undefined) return
    await log.mark({ ...log.consumed(), [stream]: 0 })
    if (lost > 0) await log.add([{ ts, stream, line: droppedLine(lost) }])
  }
}

/** Returns the line that replaces dropped output in the log. */
export function droppedLine(bytes: number): string {
  return `… ${bytes} bytes of output dropped: the app writes faster than the log accepts`
}

import type { LogKey } from '../../domain/process-names.ts'
import type { Engine } from '../../engine/engine.ts'
import type { NewLine } from '../../logs/record.ts'
import type { Clock, LogLine } from '../../ports.ts'
import { createLogFrames } from './log-frames.ts'

/** Log operations that the docker runtime needs. */
export interface LineLogs {
  /** Opens the log of an environment for lines with times of their own. Call `close` once. */
  openLines(key: LogKey): Promise<LineLog>
  tail(key: LogKey, lines: number): Promise<LogLine[]>
}

export interface LineLog {
  newest(count: number): Promise<LogLine[]>
  /** Resolves when the lines are on the disk. */
  add(lines: readonly NewLine[]): Promise<void>
  close(): Promise<void>
}

/** Reads the output of one container into its environment's log while the container runs. */
export interface ContainerLog {
  /** Call when the container has ended. Resolves when the log contains all its output. */
  end(): Promise<void>
  /** Stops reading. The next daemon continues after the last stored line. */
  leave(): Promise<void>
}

/** Lines are stored at most this much faster than real time may write them; more is throttled. */
const bytesPerSecond = 8 * 2 ** 20
/** Overlap of a resumed stream: lines of stdout and stderr may be stored out of order. */
const overlapMs = 1_000
/** Lines compared to find the place where a previous daemon stopped. */
const comparedLines = 5_000
const retryMs = 500
const endTimeoutMs = 5_000

/**
 * Follows the log of a container. The stored log itself records how far it was read: a line keeps the engine's time, and
 * a resumed stream skips lines that are stored. So a kill of the daemon loses and repeats no line.
 */
export function followContainer(
  { id, key, isNew }: { id: string; key: LogKey; isNew: boolean },
  deps: { engine: Engine; logs: LineLogs; clock: Clock; report: (error: unknown) => void },
): ContainerLog {
  const { engine, logs, clock, report } = deps
  const stopping = new AbortController()
  const ended = new AbortController()
  const opening = logs.openLines(key)
  let isFirst = isNew
  const following = follow()

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted && !ended.signal.aborted) {
      try {
        await read(true, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted && !isGone(error)) report(error)
      }
      // The stream ends with the container, or with the engine.
      const signal = AbortSignal.any([stopping.signal, ended.signal])
      if (!signal.aborted) await clock.wait(retryMs, signal).catch(() => {})
    }
  }

  /** Reads the lines that are not stored. */
  async function read(isFollowing: boolean, signal: AbortSignal): Promise<void> {
    const log = await opening
    const { since, stored } = isFirst ? { since: 0, stored: new Map() } : await progressOf(log)
    const stream = await engine.stream({
      path: `/containers/${id}/logs`,
      query: {
        stdout: true,
        stderr: true,
        timestamps: true,
        follow: isFollowing,
        since: seconds(since),
      },
      signal,
    })
    isFirst = false
    const frames = createLogFrames()
    const startedAt = clock.monotonic()
    let bytes = 0
    for await (const chunk of stream) {
      bytes += chunk.length
      await log.add(frames.push(chunk).filter((line) => !takeStored(stored, line)))
      const aheadMs = (bytes / bytesPerSecond) * 1000 - (clock.monotonic() - startedAt)
      if (aheadMs > 100) await clock.wait(aheadMs, signal)
    }
    await log.add(frames.flush().filter((line) => !takeStored(stored, line)))
  }

  async function close(): Promise<void> {
    const log = await opening.catch(() => undefined)
    await log?.close()
  }

  return {
    async end() {
      ended.abort()
      const late = clock.wait(endTimeoutMs, stopping.signal).then(
        () => stopping.abort(),
        () => {},
      )
      await Promise.race([following, late])
      stopping.abort()
      await following
      try {
        await read(false, AbortSignal.timeout(endTimeoutMs))
      } catch (error) {
        if (!isGone(error)) report(error)
      } finally {
        await close()
      }
    },
    async leave() {
      stopping.abort()
      await following
      await close()
    },
  }
}

/** Returns the time from which to read, and the stored lines since then with their number. */
async function progressOf(log: LineLog): Promise<{ since: number; stored: Map<string, number> }> {
  const lines = (await log.newest(comparedLines)).filter(({ stream }) => stream !== 'build')
  const last = lines.at(-1)
  if (!last) return { since: 0, stored: new Map() }
  const since = Date.parse(last.ts) - overlapMs
  const stored = new Map<string, number>()
  for (const line of lines) {
    if (Date.parse(line.ts) < since) continue
    stored.set(keyOf(line), (stored.get(keyOf(line)) ?? 0) + 1)
  }
  return { since, stored }
}

/** Returns true, and forgets the line, if it is stored. */
function takeStored(stored: Map<string, number>, line: NewLine): boolean {
  if (stored.size === 0) return false
  const key = keyOf(line)
  const count = stored.get(key)
  if (count === undefined) return false
  if (count === 1) stored.delete(key)
  else stored.set(key, count - 1)
  return true
}

function keyOf({ ts, stream, line }: Pick<NewLine, 'ts' | 'stream' | 'line'>): string {
  return `${stream} ${ts} ${line}`
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3)
}

/** Returns true if the container was removed, or its engine is away: the next read finds the lines. */
function isGone(error: unknown): boolean {
  const { fault, status, code } = error as { fault?: string; status?: number; code?: string }
  return (
    fault === 'unreachable' ||
    status === 404 ||
    code === 'ECONNRESET' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    code === 'ABORT_ERR'
  )
}

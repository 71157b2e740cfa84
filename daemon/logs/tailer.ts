import type { Clock } from '../ports.ts'
import { createBudget } from './budget.ts'
import type { LogLimits } from './limits.ts'
import type { PunchHole } from './punch-hole.ts'
import { openRawFile, type RawFile, type RawRead } from './raw-file.ts'
import { appStreams, rawFolder, rawPath, rawSizes } from './raw-files.ts'
import { createReclaimer, droppedLine } from './reclaimer.ts'
import type { AppStream, NewLine } from './record.ts'
import type { StoredLog } from './stored-log.ts'
import { watchFolder } from './watch-folder.ts'

/** `leave`: nothing more is read; `drain`: what is there now is; `end`: a last line without its ending is a line too. */
export type TailerStop = 'leave' | 'drain' | 'end'

/** Turns an app's raw output into lines of its log, as it comes. */
export interface Tailer {
  /** Lets go of all files, and does before what `how` says. */
  stop(how: TailerStop): Promise<void>
}

export interface TailerDeps {
  /** The environment's. */
  readonly folder: string
  readonly log: StoredLog
  readonly limits: LogLimits
  readonly clock: Clock
  /** Told of a disk that is full or broken; reading is tried again. */
  readonly report: (error: unknown) => void
  readonly punchHole: PunchHole
}

const retryMs = 1000

type AppLine = NewLine & { readonly raw: number; readonly stream: AppStream }

/**
 * Starts where the log says that reading ended. Memory: one block for each stream, as nothing is read before the lines of
 * the block before are on disk.
 */
export async function startTailer(deps: TailerDeps): Promise<Tailer> {
  const { folder, log, limits, clock } = deps
  const files = await openFiles(deps)
  const budget = createBudget(limits.bytesPerSecond, clock.now)
  const reclaimer = createReclaimer({ ...deps, files })
  const stopping = new AbortController()
  let unwritten: readonly AppLine[] = []
  let hasNews = false
  let pumping: Promise<void> | undefined
  const unwatch = watchFolder(rawFolder(folder), kick)
  kick()

  function kick(): void {
    hasNews = true
    if (stopping.signal.aborted) return
    pumping ??= pump().finally(() => {
      pumping = undefined
      if (hasNews) kick()
    })
  }

  async function pump(): Promise<void> {
    while (hasNews && !stopping.signal.aborted) {
      hasNews = false
      try {
        while (await takeRound()) {
          const waitMs = budget.waitMs()
          if (waitMs > 0) await clock.wait(waitMs, stopping.signal)
        }
      } catch (error) {
        if (stopping.signal.aborted) return
        deps.report(error)
        hasNews = true
        await clock.wait(retryMs, stopping.signal).catch(() => {})
      }
    }
  }

  /** Takes a block of each stream; false when there was nothing. */
  async function takeRound(): Promise<boolean> {
    await write()
    let hasMore = false
    for (const stream of appStreams) {
      const read = await files[stream]?.read()
      if (!read) continue
      budget.spend(read.bytes, read.lines.length)
      unwritten = linesOf(stream, read)
      await write()
      await reclaimer.tidy(stream)
      hasMore = true
    }
    return hasMore
  }

  /** What was read is not read again: it waits here while the disk is full. */
  async function write(): Promise<void> {
    try {
      await log.add(unwritten)
      unwritten = []
    } catch (error) {
      unwritten = unwritten.filter(({ raw, stream }) => raw > log.consumed()[stream])
      throw error
    }
  }

  function linesOf(stream: AppStream, { lines, skipped, writtenAt, position, bytes }: RawRead) {
    const ts = new Date(Math.min(clock.now(), writtenAt)).toISOString()
    const made: AppLine[] = lines.map(({ text, end }) => ({ ts, stream, line: text, raw: end }))
    if (skipped === 0) return made
    return [{ ts, stream, line: droppedLine(skipped), raw: position - bytes }, ...made]
  }

  /** Up to what is there now: who goes on writing is not waited for. */
  async function drain(): Promise<void> {
    const sizes = await rawSizes(folder)
    const isBehind = () => appStreams.some((stream) => log.consumed()[stream] < sizes[stream])
    while ((await takeRound()) && isBehind());
  }

  async function flush(): Promise<void> {
    const ts = new Date(clock.now()).toISOString()
    for (const stream of appStreams) {
      const rest = files[stream]?.flush() ?? []
      await log.add(rest.map(({ text, end }) => ({ ts, stream, line: text, raw: end })))
    }
  }

  return {
    async stop(how) {
      stopping.abort(new Error('the tailer stops'))
      unwatch()
      await pumping
      try {
        if (how !== 'leave') await drain()
        if (how === 'end') await flush()
      } catch (error) {
        deps.report(error)
      }
      await reclaimer.stop()
      await Promise.all(appStreams.map((stream) => files[stream]?.close()))
    },
  }
}

async function openFiles({
  folder,
  log,
  limits,
}: TailerDeps): Promise<Partial<Record<AppStream, RawFile>>> {
  const files: Partial<Record<AppStream, RawFile>> = {}
  for (const stream of appStreams) {
    const file = await openRawFile(rawPath(folder, stream), log.consumed()[stream], limits)
    if (file) files[stream] = file
  }
  return files
}

import type { LogKey } from '../domain/process-names.ts'
import { createBudget } from './budget.ts'
import type { FloodShares } from './flood-shares.ts'
import { openRawFile, type RawFile, type RawRead } from './raw-file.ts'
import { appStreams, rawFolder, rawPath, rawSizes } from './raw-files.ts'
import { createReclaimer, droppedLine, type ReclaimerDeps } from './reclaimer.ts'
import type { AppStream, NewLine } from './record.ts'
import { watchFolder } from './watch-folder.ts'

/**
 * End of reading. `leave`: read nothing more. `drain`: read the existing output. `end`: also add a last line without a
 * line ending.
 */
export type TailerStop = 'leave' | 'drain' | 'end'

/** Reads an app's raw output into its log as the app writes it. */
export interface Tailer {
  /** Finishes reading according to `how`, then closes all files. */
  stop(how: TailerStop): Promise<void>
}

export interface TailerDeps extends ReclaimerDeps {
  /** Called with each disk error; the tailer retries. */
  readonly report: (error: unknown) => void
  readonly shares: FloodShares
  readonly key: LogKey
  /** Holds an app that writes too fast, or lets it continue. */
  readonly hold: (key: LogKey, isHeld: boolean) => void
}

const retryMs = 1000

type AppLine = NewLine & { readonly raw: number; readonly stream: AppStream }

/**
 * Starts a tailer at the offsets recorded in the log. Memory is bounded by one block per stream: the lines of a block
 * are on disk before the next block is read.
 */
export async function startTailer(deps: TailerDeps): Promise<Tailer> {
  const { folder, log, limits, clock, shares, key } = deps
  const files = await openFiles(deps)
  const reading = () => shares.part(limits.bytesPerSecond, limits.allFloodsBytesPerSecond)
  const writing = () => shares.part(limits.writtenPerSecond, limits.allFloodsWrittenPerSecond)
  const budget = createBudget(reading, clock.now)
  const written = createBudget(writing, clock.now)
  const reclaimer = createReclaimer({ ...deps, files })
  const stopping = new AbortController()
  let unwritten: readonly AppLine[] = []
  let hasChanged = false
  let pumping: Promise<void> | undefined
  const unwatch = watchFolder(rawFolder(folder), requestRound)
  requestRound()

  function requestRound(): void {
    hasChanged = true
    if (stopping.signal.aborted) return
    pumping ??= pump().finally(() => {
      pumping = undefined
      if (hasChanged) requestRound()
    })
  }

  async function pump(): Promise<void> {
    while (hasChanged && !stopping.signal.aborted) {
      hasChanged = false
      try {
        while (await readRound()) {
          const waitMs = budget.waitMs()
          if (waitMs > 0) shares.note(key)
          if (written.waitMs() > 0) await holdApp(written.waitMs())
          else if (waitMs > 0) await clock.wait(waitMs, stopping.signal)
        }
      } catch (error) {
        if (stopping.signal.aborted) return
        deps.report(error)
        hasChanged = true
        await clock.wait(retryMs, stopping.signal).catch(() => {})
      }
    }
  }

  /** Holds the app, so that its output takes no disk and no CPU time. Frees the disk meanwhile. */
  async function holdApp(ms: number): Promise<void> {
    deps.hold(key, true)
    try {
      await readRound()
      await clock.wait(ms, stopping.signal)
    } finally {
      deps.hold(key, false)
    }
  }

  /** Reads a block of each stream. Returns false if there was no new output. */
  async function readRound(): Promise<boolean> {
    await writePending()
    let hasMore = false
    for (const stream of appStreams) {
      const read = await files[stream]?.read()
      if (!read) continue
      budget.spend(read.bytes, read.lines.length)
      written.spend(read.bytes + read.skipped)
      unwritten = linesOf(stream, read)
      await writePending()
      await reclaimer.reclaim(stream)
      hasMore = true
    }
    return hasMore
  }

  /** Keeps unwritten lines for the next call if the disk is full, because their bytes are not read again. */
  async function writePending(): Promise<void> {
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
    const appLines: AppLine[] = lines.map(({ text, end }) => ({ ts, stream, line: text, raw: end }))
    if (skipped === 0) return appLines
    return [{ ts, stream, line: droppedLine(skipped), raw: position - bytes }, ...appLines]
  }

  /** Reads up to the current file sizes, so that reading ends even if an app continues to write. */
  async function drain(): Promise<void> {
    const sizes = await rawSizes(folder)
    const isBehind = () => appStreams.some((stream) => log.consumed()[stream] < sizes[stream])
    while ((await readRound()) && isBehind());
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

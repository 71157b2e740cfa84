import { type Signal, signal } from '@preact/signals'
import { type Connection, type Following, type LogStart, startFollowing } from './follow-log.ts'
import { createLineRing, type LineRing } from './line-ring.ts'
import type { LogLine } from './log-line.ts'
import { createLogSearch, type LogSearch } from './search.ts'
import { visibleLine } from './visible-text.ts'

/** Bounds of what a page keeps: more than the 10 MiB of a log that the daemon keeps. */
export const maxLines = 200_000
const maxChars = 2 ** 26
const linesPerScan = 20_000
/** Time after a connection by which existing lines have arrived. */
const settledMs = 1_000

export interface SessionDeps {
  open(start: LogStart, signal: AbortSignal): Promise<Response>
  readonly start: LogStart
  /** Ends the stream before the first line for which this returns false. */
  readonly isWanted?: (line: LogLine) => boolean
  /** Calls back before the next frame, also in a background tab. */
  schedule(callback: () => void): void
  now(): number
}

/** A log while it is shown: its lines, its connection and its search. Signals tell the view about changes. */
export interface LogSession {
  ring(): LineRing
  readonly search: LogSearch
  /** Grows whenever lines or matches were added, at most once a frame. */
  readonly version: Signal<number>
  readonly connection: Signal<Connection | { readonly kind: 'paused' }>
  readonly query: Signal<string>
  /** True while lines are left to search. */
  readonly isSearching: Signal<boolean>
  /** True if the first kept line of the log is loaded. */
  readonly isFromStart: Signal<boolean>
  setQuery(query: string): void
  /**
   * Stops reading, or continues after the last line: the daemon keeps the lines that the app writes meanwhile. No-op after
   * the end of the log.
   */
  togglePause(): void
  retryNow(): void
  /** Gives the connection up while nobody sees the log, and continues after the last line. */
  setVisible(isVisible: boolean): void
  /** Drops the lines and reads the log from its first kept line. */
  loadFromStart(): void
  dispose(): void
}

export function createLogSession(deps: SessionDeps): LogSession {
  let ring = createLineRing(maxLines, maxChars)
  let following: Following | undefined
  let isScheduled = false
  let isDisposed = false
  let isVisible = true
  const search = createLogSearch()
  const version = signal(0)
  const connection = signal<Connection | { readonly kind: 'paused' }>({ kind: 'connecting' })
  const query = signal('')
  const isSearching = signal(false)
  const isFromStart = signal('afterId' in deps.start)

  function connect(start: LogStart): void {
    following?.stop()
    following = startFollowing(start, {
      open: deps.open,
      now: deps.now,
      onLine: add,
      onConnection(next) {
        connection.value = next
        if (next.kind === 'live' && 'newest' in start) checkIsWhole(start.newest)
      },
    })
  }

  /** A log with fewer lines than asked for is loaded from its start. */
  function checkIsWhole(asked: number): void {
    const loading = ring
    setTimeout(() => {
      if (loading === ring && ring.end() < asked && !isDisposed) isFromStart.value = true
    }, settledMs)
  }

  function add(line: LogLine): void {
    if (deps.isWanted && !deps.isWanted(line)) {
      following?.stop()
      connection.value = { kind: 'ended' }
      return
    }
    const { id, ts, stream } = line
    ring.push({ id, ts, stream, ...visibleLine(line.line) })
    schedule()
  }

  function schedule(): void {
    if (isScheduled || isDisposed) return
    isScheduled = true
    deps.schedule(() => {
      isScheduled = false
      if (isDisposed) return
      const isDone = search.scan(ring, linesPerScan)
      isSearching.value = !isDone
      version.value += 1
      if (!isDone) schedule()
    })
  }

  function lastStart(): LogStart {
    const lastLine = ring.at(ring.end() - 1)
    return lastLine ? { afterId: lastLine.id } : deps.start
  }

  connect(deps.start)

  return {
    ring: () => ring,
    search,
    version,
    connection,
    query,
    isSearching,
    isFromStart,
    setQuery(text) {
      query.value = text
      search.setQuery(text)
      isSearching.value = text !== ''
      schedule()
    },
    togglePause() {
      const { kind } = connection.peek()
      if (kind === 'paused') connect(lastStart())
      else if (kind !== 'ended' && kind !== 'failed') {
        following?.stop()
        connection.value = { kind: 'paused' }
      }
    },
    retryNow: () => following?.retryNow(),
    setVisible(next) {
      const isChanged = next !== isVisible
      isVisible = next
      const { kind } = connection.peek()
      if (!isChanged || kind === 'paused' || kind === 'ended' || kind === 'failed') return
      if (isVisible) connect(lastStart())
      else following?.stop()
    },
    loadFromStart() {
      ring = createLineRing(maxLines, maxChars)
      search.setQuery(query.value)
      isFromStart.value = true
      version.value += 1
      connect({ afterId: 0 })
    },
    dispose() {
      isDisposed = true
      following?.stop()
    },
  }
}

/** Minimum time between two drawings. A flood then leaves most of the time to reading, and 12 drawings a second look live. */
const drawMs = 80

/**
 * Returns a function that calls back before the next frame, at most every 80 ms, or after a quarter of a second if the
 * browser draws no frames.
 */
export function createFrameSchedule(): (callback: () => void) => void {
  let lastAt = Number.NEGATIVE_INFINITY
  return (callback) => {
    const waitMs = Math.max(0, lastAt + drawMs - performance.now())
    if (waitMs === 0) beforeFrame()
    else setTimeout(beforeFrame, waitMs)

    function beforeFrame(): void {
      const run = () => {
        cancelAnimationFrame(frame)
        clearTimeout(timer)
        lastAt = performance.now()
        callback()
      }
      const frame = requestAnimationFrame(run)
      const timer = setTimeout(run, 250)
    }
  }
}

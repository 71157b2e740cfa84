import { DaemonError } from '../errors.ts'
import type { Clock, LogLine } from '../ports.ts'
import type { StoredLog } from './stored-log.ts'

const defaultLines = 50

export interface FollowOptions {
  readonly afterId: number | null
  /** Number of lines that a reader without `afterId` receives first; default 50. */
  readonly newest?: number | undefined
  /** Returns true if no more lines will come: the reader receives the remaining lines, then the stream ends. */
  readonly isOver: () => boolean
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Yields the lines after an id, then new lines, until `signal` is aborted. Lines are read from the disk at the reader's
 * pace, never buffered. Throws `conflict` if the log drops lines before the reader gets to them. If the lines after
 * `afterId` are already dropped at the start, the first line says so. An unknown id counts as null.
 */
export async function* followLog(
  log: StoredLog,
  { afterId, newest = defaultLines, isOver, signal, clock }: FollowOptions,
): AsyncGenerator<LogLine, void> {
  // Check for the end before reading the newest lines: lines added in between would be skipped.
  const endBefore = log.end()
  const isKnown = afterId !== null && afterId >= 0 && afterId <= endBefore
  const first = isKnown ? [] : await log.newest(newest)
  let position = isKnown ? afterId : (first.at(-1)?.id ?? endBefore)
  for (const line of first) {
    if (signal.aborted) return
    yield line
  }
  if (isKnown && position < log.start()) {
    position = log.start()
    yield gapLine(position, clock)
  }
  while (!signal.aborted) {
    const end = log.end()
    if (position < end) {
      yield* linesBetween(log, position, end, { isOver, signal })
      position = end
    } else if (isOver()) return
    else await log.awaitChange(signal)
  }
}

async function* linesBetween(
  log: StoredLog,
  from: number,
  to: number,
  { isOver, signal }: Pick<FollowOptions, 'isOver' | 'signal'>,
): AsyncGenerator<LogLine, void> {
  const portions = log.read(from, to)
  for (;;) {
    const { value, done } = await portions.next()
    // An ended log may have been removed: no error for the reader.
    if (done && value === 'gone' && !isOver()) throw tooSlow()
    if (done) return
    for (const line of value) {
      if (signal.aborted) return
      yield line
    }
  }
}

/** The id differs from the ids of all stored lines, and a reader can continue after it. */
function gapLine(start: number, clock: Clock): LogLine {
  return {
    id: start + 1,
    ts: new Date(clock.now()).toISOString(),
    stream: 'stderr',
    line: '… older lines were dropped: the log keeps only the newest',
  }
}

function tooSlow(): DaemonError {
  return new DaemonError(
    'conflict',
    'the reader is too slow: the log dropped unread lines; follow again to get the remaining lines',
  )
}

import { DaemonError } from '../errors.ts'
import type { Clock, LogLine } from '../ports.ts'
import type { StoredLog } from './stored-log.ts'

/** Lines that a reader who names none gets first. */
const firstLines = 50

export interface FollowOptions {
  readonly afterId: number | null
  /** True when nothing more will come: the reader gets what is there, and its end. */
  readonly isOver: () => boolean
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * The lines after an id, then those that come, until `signal` is aborted. Nothing is kept for a reader: it takes its
 * lines from the disk at its own pace, and is thrown out (`conflict`) when the log has dropped what it would read next.
 * One that comes back for lines already dropped is told so by a line. An id that the log never gave counts as none.
 */
export async function* followLog(
  log: StoredLog,
  { afterId, isOver, signal, clock }: FollowOptions,
): AsyncGenerator<LogLine, void> {
  // Before the newest lines are read: what comes meanwhile must not be passed over.
  const endBefore = log.end()
  const isKnown = afterId !== null && afterId >= 0 && afterId <= endBefore
  const first = isKnown ? [] : await log.newest(firstLines)
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
    else await log.changed(signal)
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
    // A log that is over may have been removed.
    if (done && value === 'gone' && !isOver()) throw tooSlow()
    if (done) return
    for (const line of value) {
      if (signal.aborted) return
      yield line
    }
  }
}

/** Its id is the end of no line, and reading can go on after it. */
function gapLine(start: number, clock: Clock): LogLine {
  return {
    id: start + 1,
    ts: new Date(clock.now()).toISOString(),
    stream: 'stderr',
    line: '… older lines were dropped: the log keeps the newest only',
  }
}

function tooSlow(): DaemonError {
  return new DaemonError(
    'conflict',
    'the reader is too slow: the log has dropped lines that it had not read; follow again for what there is',
  )
}

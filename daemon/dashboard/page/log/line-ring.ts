import type { LogLine } from './log-line.ts'
import type { VisibleLine } from './visible-text.ts'

/** A kept line. */
export interface LogEntry extends VisibleLine {
  readonly id: number
  readonly ts: string
  readonly stream: LogLine['stream']
}

/**
 * Keeps the newest lines. Lines are addressed by a sequence number that grows with each line and stays valid until the
 * ring drops the line.
 */
export interface LineRing {
  push(entry: LogEntry): void
  at(seq: number): LogEntry | undefined
  /** Returns the number of the oldest kept line. */
  first(): number
  /** Returns the number that the next line gets. */
  end(): number
}

/** Creates a ring that holds at most `maxLines`, and at most `maxChars` characters beside the newest line. */
export function createLineRing(maxLines: number, maxChars: number): LineRing {
  const slots: (LogEntry | undefined)[] = []
  let first = 0
  let end = 0
  let chars = 0

  function drop(): void {
    const slot = first % maxLines
    chars -= sizeOf(slots[slot])
    slots[slot] = undefined
    first += 1
  }

  return {
    push(entry) {
      if (end - first === maxLines) drop()
      slots[end % maxLines] = entry
      end += 1
      chars += sizeOf(entry)
      while (chars > maxChars && end - first > 1) drop()
    },
    at: (seq) => (seq >= first && seq < end ? slots[seq % maxLines] : undefined),
    first: () => first,
    end: () => end,
  }
}

function sizeOf(entry: LogEntry | undefined): number {
  return entry ? entry.text.length + (entry.styled?.length ?? 0) : 0
}

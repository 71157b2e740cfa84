import type { LineRing } from './line-ring.ts'

/** Finds the lines that contain a text, regardless of case. */
export interface LogSearch {
  /** Starts over with another text. An empty text matches nothing. */
  setQuery(query: string): void
  /** Searches at most `maxLines` further lines. Returns true if no line is left. */
  scan(ring: LineRing, maxLines: number): boolean
  count(): number
  /** Returns the 1-based position of a line among the matching lines, or 0. */
  positionOf(seq: number): number
  /** Returns the next matching line after `seq`, or the first one. Undefined without matches. */
  next(seq: number): number | undefined
  /** Returns the last matching line before `seq`, or the last one. Undefined without matches. */
  previous(seq: number): number | undefined
}

export function createLogSearch(): LogSearch {
  let pattern: RegExp | undefined
  let found: number[] = []
  /** Index of the first match whose line is still in the ring. */
  let start = 0
  let scannedTo = 0

  /** Returns the index of the first match at or after `seq`. */
  function indexOf(seq: number): number {
    let low = start
    let high = found.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((found[middle] ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    setQuery(query) {
      pattern = patternOf(query)
      found = []
      start = 0
      scannedTo = 0
    },
    scan(ring, maxLines) {
      start = indexOf(ring.first())
      if (start > 10_000) {
        found = found.slice(start)
        start = 0
      }
      if (!pattern) return true
      const from = Math.max(scannedTo, ring.first())
      scannedTo = Math.min(ring.end(), from + maxLines)
      for (let seq = from; seq < scannedTo; seq += 1) {
        pattern.lastIndex = 0
        if (pattern.test(ring.at(seq)?.text ?? '')) found.push(seq)
      }
      return scannedTo === ring.end()
    },
    count: () => found.length - start,
    positionOf(seq) {
      const index = indexOf(seq)
      return found[index] === seq ? index - start + 1 : 0
    },
    next: (seq) => found[indexOf(seq + 1)] ?? found[start],
    previous(seq) {
      const index = indexOf(seq) - 1
      return found[index >= start ? index : found.length - 1]
    },
  }
}

/** Returns a global pattern of a text, regardless of case. Undefined for an empty text. */
export function patternOf(query: string): RegExp | undefined {
  if (query === '') return undefined
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
}

import type { Segment } from './ansi-segments.ts'

/** A part of a line: in one style, and wholly inside or outside a match. */
export interface MarkedSegment extends Segment {
  readonly isMatch: boolean
}

/** Splits segments at the borders of the matches of a global pattern. A match may span several segments. */
export function markMatches(
  segments: readonly Segment[],
  pattern: RegExp | undefined,
): readonly MarkedSegment[] {
  const text = pattern ? segments.map((segment) => segment.text).join('') : ''
  const borders = pattern
    ? [...text.matchAll(pattern)].flatMap(({ index, 0: match }) => [index, index + match.length])
    : []
  const marked: MarkedSegment[] = []
  let position = 0
  let passed = 0
  for (const { text: whole, className } of segments) {
    let rest = whole
    while (rest !== '') {
      while (passed < borders.length && (borders[passed] ?? 0) <= position) passed += 1
      const length = Math.min(rest.length, (borders[passed] ?? Infinity) - position)
      marked.push({ text: rest.slice(0, length), className, isMatch: passed % 2 === 1 })
      rest = rest.slice(length)
      position += length
    }
  }
  return marked
}

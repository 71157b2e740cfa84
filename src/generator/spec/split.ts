import { fault, type Span, trim } from './span.ts'

/**
 * Splits at every separator outside brackets and double quotes, and trims the parts. Throws `usage` at
 * an unclosed bracket or quote.
 */
export function split(span: Span, separator: ',' | ':' | '|'): readonly Span[] {
  const parts: Span[] = []
  let start = span.start
  for (const at of topLevel(span)) {
    if (span.input[at] !== separator) continue
    parts.push(trim({ ...span, start, end: at }))
    start = at + 1
  }
  parts.push(trim({ ...span, start }))
  return parts
}

/** Yields the offsets of the span, in units of the input, outside brackets and quotes. */
function* topLevel(span: Span): Generator<number> {
  const { input, end } = span
  const brackets: number[] = []
  for (let at = span.start; at < end; at += 1) {
    const unit = input[at]
    if (unit === '"') at = endOfQuote(span, at)
    else if (unit === '(') brackets.push(at)
    else if (unit === ')') brackets.pop()
    else if (brackets.length === 0) yield at
  }
  const open = brackets[0]
  if (open !== undefined) {
    throw fault(
      { input, start: open, end: open + 1 },
      'this bracket is not closed: add a ), or put the value in double quotes',
    )
  }
}

/** Returns the offset of the quote that closes the quote at `open`. Skips the escapes `\"` and `\\`. */
export function endOfQuote({ input, end }: Span, open: number): number {
  for (let at = open + 1; at < end; at += 1) {
    if (input[at] === '\\') at += 1
    else if (input[at] === '"') return at
  }
  throw fault({ input, start: open, end: open + 1 }, 'this quote is not closed: add a "')
}

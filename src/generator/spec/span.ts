import { type Place, StrataError } from '../errors.ts'

/** A part of the user's input, in UTF-16 units. `end` is exclusive. */
export interface Span {
  readonly input: string
  readonly start: number
  readonly end: number
}

/** Returns the span of the whole input, trimmed. */
export function spanOf(input: string): Span {
  return trim({ input, start: 0, end: input.length })
}

export function textOf(span: Span): string {
  return span.input.slice(span.start, span.end)
}

export function isEmpty(span: Span): boolean {
  return span.start === span.end
}

/** Removes white space at both ends. A span of white space becomes an empty span at its end. */
export function trim({ input, start, end }: Span): Span {
  let from = start
  let to = end
  while (from < to && isSpace(input, from)) from += 1
  while (from < to && isSpace(input, to - 1)) to -= 1
  return { input, start: from, end: to }
}

/** Cuts `width` units out of the span at an offset of its text. Returns the trimmed parts before and after. */
export function cut(span: Span, offset: number, width: number): readonly [Span, Span] {
  const at = span.start + offset
  return [trim({ ...span, end: at }), trim({ ...span, start: at + width })]
}

/** Creates a `usage` error that refers to the span. */
export function fault(span: Span, message: string): StrataError {
  return new StrataError('usage', message, { place: placeOf(span) })
}

/** Runs a parser on the span's text. Converts the position of a thrown error from that text to the span's input. */
export function parseSpan<T>(span: Span, parse: (text: string) => T): T {
  try {
    return parse(textOf(span))
  } catch (error) {
    if (!(error instanceof StrataError)) throw error
    const { start, length } = error.place ?? { start: 0, length: span.end - span.start }
    throw new StrataError(error.kind, error.message, {
      place: { input: span.input, start: span.start + start, length },
      details: error.details,
      cause: error,
    })
  }
}

function placeOf({ input, start, end }: Span): Place {
  return { input, start, length: end - start }
}

function isSpace(input: string, at: number): boolean {
  return input.charAt(at).trim() === ''
}

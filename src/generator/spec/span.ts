import { type Place, StrataError } from '../errors.ts'

/** A part of the user's input, in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly input: string
  readonly start: number
  readonly end: number
}

/** The whole input, without the white space around it. */
export function spanOf(input: string): Span {
  return trim({ input, start: 0, end: input.length })
}

export function textOf(span: Span): string {
  return span.input.slice(span.start, span.end)
}

export function isEmpty(span: Span): boolean {
  return span.start === span.end
}

/** The span without the white space around it. An empty one stays where its text would stand. */
export function trim({ input, start, end }: Span): Span {
  let from = start
  let to = end
  while (from < to && isSpace(input, from)) from += 1
  while (from < to && isSpace(input, to - 1)) to -= 1
  return { input, start: from, end: to }
}

/** The span cut at an offset of its own text: what is before it and what is behind `width` units. */
export function cut(span: Span, offset: number, width: number): readonly [Span, Span] {
  const at = span.start + offset
  return [trim({ ...span, end: at }), trim({ ...span, start: at + width })]
}

/** A `usage` error at the span. */
export function fault(span: Span, message: string): StrataError {
  return new StrataError('usage', message, { place: placeOf(span) })
}

/**
 * Runs a parser that knows only the span's text (or a part that starts with it) and moves the place
 * of what it throws into the span's input.
 */
export function within<T>(span: Span, parse: (text: string) => T): T {
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

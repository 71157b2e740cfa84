import { fault, type Span, textOf } from './span.ts'
import { endOfQuote } from './split.ts'

/**
 * Returns the text of a modifier's value. The value is bare, or in double quotes with the escapes
 * `\"` and `\\`. Throws `usage` for an empty bare value and for a quote in the middle.
 */
export function readValue(span: Span, modifier: string): string {
  const text = textOf(span)
  if (text === '') {
    throw fault(span, `${modifier}= needs a value (write ${modifier}="" for an empty text)`)
  }
  if (!text.startsWith('"')) return readBare(span)
  const close = endOfQuote(span, span.start)
  if (close + 1 !== span.end) {
    const extra = { ...span, start: close + 1 }
    throw fault(
      extra,
      'unexpected text after the closing quote: write \\" for a quote in the value',
    )
  }
  const escapes = /\\(?!["\\])|\\(["\\])/g
  return textOf({ ...span, start: span.start + 1, end: close }).replace(
    escapes,
    (_, unit: string | undefined, at: number) => {
      if (unit !== undefined) return unit
      const start = span.start + 1 + at
      throw fault({ ...span, start, end: start + 2 }, 'invalid escape: expected \\" or \\\\')
    },
  )
}

/** Prints a value for `readValue`: bare if every character is safe, else in quotes. */
export function printValue(text: string): string {
  const isBare = /^[A-Za-z0-9_.+@/-]+$/.test(text)
  return isBare ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

function readBare(span: Span): string {
  const text = textOf(span)
  const quote = text.indexOf('"')
  if (quote === -1) return text
  const start = span.start + quote
  throw fault({ ...span, start, end: start + 1 }, 'put the whole value in double quotes')
}

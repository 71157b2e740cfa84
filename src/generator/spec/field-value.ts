import { fault, type Span, textOf } from './span.ts'
import { endOfQuote } from './split.ts'

/**
 * The text of a modifier's value: bare as it stands, or between double quotes where `\"` and `\\`
 * stand for `"` and `\`. Throws `usage` for an empty bare value and for a quote in the middle.
 */
export function readValue(span: Span, modifier: string): string {
  const text = textOf(span)
  if (text === '') {
    throw fault(span, `${modifier}= needs a value (an empty text is ${modifier}="")`)
  }
  if (!text.startsWith('"')) return readBare(span)
  const close = endOfQuote(span, span.start)
  if (close + 1 !== span.end) {
    const behind = { ...span, start: close + 1 }
    throw fault(behind, 'the value ends at its quote: write \\" for a quote inside it')
  }
  const escapes = /\\(?!["\\])|\\(["\\])/g
  return textOf({ ...span, start: span.start + 1, end: close }).replace(
    escapes,
    (_, unit: string | undefined, at: number) => {
      if (unit !== undefined) return unit
      const start = span.start + 1 + at
      throw fault({ ...span, start, end: start + 2 }, 'only \\" and \\\\ are known in quotes')
    },
  )
}

/** A value as `readValue` reads it back: bare where that is safe, else in quotes. */
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

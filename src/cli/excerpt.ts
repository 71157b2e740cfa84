import type { Place } from '../generator/errors.ts'

/** Maximum width of a quoted line, in UTF-16 units. */
const widest = 100

/** Text before the fault that a shortened line keeps, in UTF-16 units. */
const lead = 40

/** Returns the line of the input that contains the fault, shortened if it is long, and a line of carets below the fault. */
export function excerpt({ input, start, length }: Place): string[] {
  const lineStart = input.lastIndexOf('\n', start - 1) + 1
  const line = input.slice(lineStart).split('\n', 1)[0] ?? ''
  const column = start - lineStart
  const isLong = line.length > widest
  const from = isLong ? Math.max(0, Math.min(column - lead, line.length - widest)) : 0
  const to = isLong ? from + widest : line.length
  const before = from > 0 ? '…' : ''
  const shown = `${before}${line.slice(from, to)}${to < line.length ? '…' : ''}`
  const width = Math.max(1, Math.min(length, to - column))
  // Keep tabs, so that the carets align with the fault.
  const indent = `${before}${line.slice(from, column)}`.replace(/[^\t]/g, ' ')
  return [`  ${shown}`, `  ${indent}${'^'.repeat(width)}`]
}

/** Maximum length of a message: a word of the input that it quotes can be as long as the input. */
const longest = 1000

/** Cuts the middle out of a long text. */
export function shorten(text: string): string {
  if (text.length <= longest) return text
  const half = (longest - 1) / 2
  return `${text.slice(0, Math.ceil(half))}…${text.slice(-Math.floor(half))}`
}

import { once } from 'node:events'
import { createPaint, hasColors, type Paint } from './style.ts'
import { formatTable } from './table.ts'

/** Writes the result of a command to stdout and its messages to stderr. */
export interface Output {
  readonly isJson: boolean
  /** Colors text for stdout. */
  readonly paint: Paint
  /** Colors text for stderr. */
  readonly paintNote: Paint
  /** Prints the result: as JSON with `--json`, otherwise the lines of `toLines`. */
  result(value: unknown, toLines: () => readonly string[]): void
  /** Columns of the terminal; undefined if stdout is no terminal. */
  readonly width: number | undefined
  table(headings: readonly string[], rows: readonly (readonly string[])[]): string[]
  /** Prints messages on stderr. */
  note(...lines: readonly string[]): void
  /** Prints one line of a stream on stdout. Resolves when stdout accepts the next line (back-pressure). */
  line(text: string): Promise<void>
}

export function createOutput(isJson: boolean): Output {
  const { stdout, stderr, env } = process
  const paint = createPaint(hasColors(stdout, env))
  const paintNote = createPaint(hasColors(stderr, env))
  const width = stdout.isTTY ? stdout.columns : undefined
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`)
  }
  return {
    isJson,
    paint,
    paintNote,
    result: (value, toLines) => print(isJson ? [JSON.stringify(value, null, 2)] : toLines()),
    width,
    table: (headings, rows) => formatTable(headings, rows, { paint, width }),
    note: (...lines) => {
      if (lines.length > 0) stderr.write(`${lines.join('\n')}\n`)
    },
    async line(text) {
      if (!stdout.write(`${text}\n`)) await once(stdout, 'drain')
    },
  }
}

import { once } from 'node:events'
import { createPaint, hasColours, type Paint } from './style.ts'
import { formatTable } from './table.ts'

/** Where a command writes: its result on stdout, what it has to say about it on stderr. */
export interface Output {
  readonly isJson: boolean
  /** For stdout. */
  readonly paint: Paint
  /** For stderr. */
  readonly paintNote: Paint
  /** A result: as JSON with `--json`, else the lines that `toLines` makes of it. */
  result(value: unknown, toLines: () => readonly string[]): void
  table(headings: readonly string[], rows: readonly (readonly string[])[]): string[]
  /** A line for a person, on stderr. */
  note(...lines: readonly string[]): void
  /** A line on stdout, as part of many; resolves when there is room for the next. */
  line(text: string): Promise<void>
}

export function createOutput(isJson: boolean): Output {
  const { stdout, stderr, env } = process
  const paint = createPaint(hasColours(stdout, env))
  const paintNote = createPaint(hasColours(stderr, env))
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`)
  }
  return {
    isJson,
    paint,
    paintNote,
    result: (value, toLines) => print(isJson ? [JSON.stringify(value, null, 2)] : toLines()),
    table: (headings, rows) =>
      formatTable(headings, rows, { paint, width: stdout.isTTY ? stdout.columns : undefined }),
    note: (...lines) => {
      if (lines.length > 0) stderr.write(`${lines.join('\n')}\n`)
    },
    async line(text) {
      if (!stdout.write(`${text}\n`)) await once(stdout, 'drain')
    },
  }
}

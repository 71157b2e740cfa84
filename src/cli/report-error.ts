import { type Place, StrataError, type StrataErrorKind } from '../generator/errors.ts'

/** The exit codes of generator commands. Scripts depend on them. */
const exitCodes: Record<StrataErrorKind, number> = {
  usage: 2,
  conflict: 3,
  'not-in-project': 4,
  'check-failed': 5,
  failure: 1,
}

/** Prints an error on stderr. Returns the exit code. */
export function reportError(error: unknown): number {
  if (!(error instanceof StrataError)) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `error: ${message}\nThis is a bug in strata; STRATA_DEBUG=1 prints the stack.\n`,
    )
    if (process.env.STRATA_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    return 1
  }
  const lines = [
    `error: ${error.message}`,
    ...(error.place ? caret(error.place) : []),
    ...error.details,
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  return exitCodes[error.kind]
}

/** Returns the line of the input that contains the fault, and a line of carets below the fault. */
function caret({ input, start, length }: Place): string[] {
  const lineStart = input.lastIndexOf('\n', start - 1) + 1
  const line = input.slice(lineStart).split('\n', 1)[0] ?? ''
  const column = start - lineStart
  const width = Math.max(1, Math.min(length, line.length - column))
  // Keep tabs, so that the carets align with the fault.
  const indent = line.slice(0, column).replace(/[^\t]/g, ' ')
  return [`  ${line}`, `  ${indent}${'^'.repeat(width)}`]
}

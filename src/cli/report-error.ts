import { StrataError, type StrataErrorKind } from '../generator/errors.ts'
import { excerpt, shorten } from './excerpt.ts'

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
    `error: ${shorten(error.message)}`,
    ...(error.place ? excerpt(error.place) : []),
    ...error.details.map(shorten),
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  return exitCodes[error.kind]
}

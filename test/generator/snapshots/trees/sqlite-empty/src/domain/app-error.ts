/** Errors that a caller can meet; `http/errors.ts` maps each kind to an HTTP status. */
export type AppErrorKind = 'invalid' | 'not-found' | 'conflict' | 'changed' | 'unavailable'

interface Fault {
  /** Dotted name of the field or query parameter. */
  path: string
  message: string
}

export class AppError extends Error {
  readonly kind: AppErrorKind
  readonly details: readonly Fault[] | undefined

  constructor(
    kind: AppErrorKind,
    message: string,
    { details, cause }: { details?: readonly Fault[]; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'AppError'
    this.kind = kind
    this.details = details
  }
}

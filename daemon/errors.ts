/** What can go wrong, as a caller meets it; `daemon/http` has the one table from kind to status. */
export type DaemonErrorKind =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  /** Well-formed, but it can't be done: never fits, the app never became healthy, the build failed. */
  | 'unprocessable'
  | 'throttled'
  /** A needed setting is missing. */
  | 'unavailable'
  /** May go better next time: the network, a host that does not answer. Deploys are tried again. */
  | 'transient'
  | 'internal'

export class DaemonError extends Error {
  readonly kind: DaemonErrorKind
  /** Further keys of the answer, as `environment_id`. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>

  /** `message` is lower case, says what happened and what to do, and holds no secret: it is shown. */
  constructor(
    kind: DaemonErrorKind,
    message: string,
    options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DaemonError'
    this.kind = kind
    this.details = options.details ?? {}
  }
}

/** A call of the system that a full disk refused, as a caller meets it; other errors come back as they are. */
export function diskFault(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && fullCodes.includes(error.code)
  if (!isFull) return error
  const message = 'the disk of the data folder is full: make room on it'
  return new DaemonError('transient', message, { cause: error })
}

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT']

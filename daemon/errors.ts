/** Kinds of expected errors. `daemon/http` maps each kind to a status. */
export type DaemonErrorKind =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  /** The client sends its body too slowly. */
  | 'too-slow'
  /** A valid request that can't succeed: for example, the build failed, or the app is unhealthy or too large. */
  | 'unprocessable'
  | 'throttled'
  /** A required setting is missing. */
  | 'unavailable'
  /** A temporary fault, for example of the network. Deploys are retried. */
  | 'transient'
  | 'internal'

export class DaemonError extends Error {
  readonly kind: DaemonErrorKind
  /** Additional keys of the response, such as `environment_id`. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>

  /** An expected error. `message` is shown to users: lower case, the fault and the next step, no secret. */
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

/** The certificate authority gave no certificate. `message` is shown to users. */
export class CertificateError extends Error {
  /** Time that the authority demands before the next request; 0: none. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.name = 'CertificateError'
    this.retryAfterMs = retryAfterMs
  }
}

/** Returns a `transient` error for a full disk or an exceeded quota; returns any other error unchanged. */
export function diskFault(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && fullCodes.includes(error.code)
  if (!isFull) return error
  const message = 'the disk of the data folder is full: free some space'
  return new DaemonError('transient', message, { cause: error })
}

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT']

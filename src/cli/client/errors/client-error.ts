export interface ClientErrorOptions {
  /** Exit code. 2: not found; 4: the token is invalid or lacks the permission; 1 (default): any other failure. */
  readonly exitCode?: 1 | 2 | 4
  /** Commands or advice, one per line. */
  readonly next?: readonly string[]
  /** Lines to print between the message and the advice, for example the end of a build log. */
  readonly details?: readonly string[]
  readonly cause?: unknown
}

/** A failure that a client command reports to its user. `message` is lower case and contains no token. */
export class ClientError extends Error {
  readonly exitCode: 1 | 2 | 4
  readonly next: readonly string[]
  readonly details: readonly string[]

  constructor(message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ClientError'
    this.exitCode = options.exitCode ?? 1
    this.next = options.next ?? []
    this.details = options.details ?? []
  }
}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

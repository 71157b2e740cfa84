/** What keeps a command of the client from its work: what happened, why, and what to try next. */
export class ClientError extends Error {
  readonly exitCode: 1 | 2 | 4
  /** Commands or advice, one a line. */
  readonly next: readonly string[]
  /** Shown between the sentence and the advice, as the end of a build's output. */
  readonly details: readonly string[]

  /** `message` is lower case and holds no token. 2: there is no such thing; 4: the token does not allow it. */
  constructor(
    message: string,
    options: {
      exitCode?: 1 | 2 | 4
      next?: readonly string[]
      details?: readonly string[]
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ClientError'
    this.exitCode = options.exitCode ?? 1
    this.next = options.next ?? []
    this.details = options.details ?? []
  }
}

/** Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

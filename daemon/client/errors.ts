/** An answer of the daemon that is no success; `message` is the daemon's own sentence. */
export class AnswerError extends Error {
  readonly status: number
  /** The whole answer, as `environment_id` of a failed deploy. */
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfter: string | undefined

  constructor(
    status: number,
    message: string,
    body: Readonly<Record<string, unknown>> = {},
    retryAfter?: string,
  ) {
    super(message)
    this.name = 'AnswerError'
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** No answer came, or one that broke off; `message` says why, without the address. */
export class NoAnswerError extends Error {
  /** The request may have been received. */
  readonly isSent: boolean

  constructor(message: string, options: { isSent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'NoAnswerError'
    this.isSent = options.isSent
  }
}

/** An error response of the daemon; `message` is its `error`. */
export class AnswerError extends Error {
  readonly status: number
  /** The JSON body, such as the `environment_id` of a failed deploy. */
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

/** No response arrived, or it broke off; `message` says why, without the address. */
export class NoAnswerError extends Error {
  /** Whether the daemon may have received the request. */
  readonly isSent: boolean

  constructor(message: string, options: { isSent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'NoAnswerError'
    this.isSent = options.isSent
  }
}

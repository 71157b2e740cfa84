/** An error response of the daemon; `message` is its `error`. */
export class ResponseError extends Error {
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
    this.name = 'ResponseError'
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** No response arrived, or it broke off; `message` says why, without the address. */
export class ConnectionError extends Error {
  /** Whether the daemon may have received the request. */
  readonly isSent: boolean

  constructor(message: string, options: { isSent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ConnectionError'
    this.isSent = options.isSent
  }
}

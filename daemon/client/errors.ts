/** An error response of the daemon. `message` is the body's `error` field. */
export class ResponseError extends Error {
  readonly status: number
  /** The JSON body, such as the `environment_id` of a failed deploy. */
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfter: string | undefined
  /** Id under which the daemon logs the request. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    message: string,
    body: Readonly<Record<string, unknown>> = {},
    retryAfter?: string,
    requestId?: string,
  ) {
    super(message)
    this.name = 'ResponseError'
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

/** A missing or truncated response. `message` contains the cause, without the address. */
export class ConnectionError extends Error {
  /** True if the daemon may have received the request. */
  readonly isSent: boolean

  constructor(message: string, options: { isSent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ConnectionError'
    this.isSent = options.isSent
  }
}

/** Returns the error of a response that broke off. */
export function connectionLost(cause: unknown): ConnectionError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ConnectionError(`the response broke off (${why})`, { isSent: true, cause })
}

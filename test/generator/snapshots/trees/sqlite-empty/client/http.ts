export interface ClientOptions {
  /** Origin of the app, for example `http://localhost:8080`. */
  baseUrl: string
  fetch?: typeof fetch
  /** Headers of every request. */
  headers?: Record<string, string>
}

/** Options of one call. */
interface CallOptions {
  /** Cancels the request. */
  signal?: AbortSignal
  /** Headers of this request. */
  headers?: Record<string, string>
}

/** An error response of the app. A failed connection and a cancelled request reject with the error of `fetch`. */
export class ApiError extends Error {
  readonly status: number
  /** The faults of a 400: each has the path of a field or parameter. */
  readonly details: readonly { path: string; message: string }[]
  /** Seconds until the next attempt makes sense, if the response has `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor({ status, headers }: Response, body: ErrorBody) {
    super(body.error ?? `the app responded with status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.details = body.details ?? []
    const seconds = headers.get('retry-after')
    this.retryAfter = seconds === null ? undefined : Number(seconds)
  }
}

interface ErrorBody {
  error?: string
  details?: ApiError['details']
}

type Send = <Reply>(
  method: string,
  path: string,
  body?: unknown,
  options?: CallOptions,
) => Promise<Reply>

/** Returns a function that sends one request and throws ApiError if the response is not 2xx. */
export function createSend({ baseUrl, fetch: send = fetch, ...client }: ClientOptions): Send {
  const origin = baseUrl.replace(/\/$/, '')
  return async <Reply>(method: string, path: string, body?: unknown, options?: CallOptions) => {
    const type = body !== undefined && { 'content-type': 'application/json' }
    const response = await send(origin + path, {
      ...options,
      method,
      headers: { ...type, ...client.headers, ...options?.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new ApiError(response, await readError(response))
    return (response.status === 204 ? undefined : await response.json()) as Reply
  }
}

/** Returns an empty object if a proxy responded with something other than JSON. */
function readError(response: Response): Promise<ErrorBody> {
  return response.json().catch(() => ({})) as Promise<ErrorBody>
}

export interface ClientOptions {
  /** Where the app answers, as `http://localhost:8080`. */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every request. */
  headers?: Record<string, string>
}

/** What the app answered instead of a result. */
export class ApiError extends Error {
  readonly status: number
  readonly details: readonly { path: string; message: string }[]

  constructor(status: number, body: { error?: string; details?: ApiError['details'] }) {
    super(body.error ?? `the app answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.details = body.details ?? []
  }
}

export type Send = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>

/** Throws ApiError for any answer but a success. */
export function createSend({ baseUrl, fetch: send = fetch, headers = {} }: ClientOptions): Send {
  return async (method, path, body) => {
    const response = await send(new URL(path, baseUrl), {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const reply = text === '' ? undefined : JSON.parse(text)
    if (!response.ok) throw new ApiError(response.status, reply ?? {})
    return reply
  }
}

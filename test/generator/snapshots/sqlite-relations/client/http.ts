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
  const origin = baseUrl.replace(/\/$/, '')
  return async <Reply>(method: string, path: string, body?: unknown) => {
    const response = await send(origin + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new ApiError(response.status, await readFailure(response))
    return (response.status === 204 ? undefined : await response.json()) as Reply
  }
}

/** What stands between client and app may answer with something else than JSON. */
async function readFailure(response: Response) {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return (isJson ? await response.json() : {}) as ConstructorParameters<typeof ApiError>[1]
}

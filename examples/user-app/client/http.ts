export interface ClientOptions {
  /** Origin of the app, for example `http://localhost:8080`. */
  baseUrl: string
  fetch?: typeof fetch
  /** Headers of every request. */
  headers?: Record<string, string>
}

/** An error response of the app. */
export class ApiError extends Error {
  readonly status: number
  readonly details: readonly { path: string; message: string }[]

  constructor(status: number, body: { error?: string; details?: ApiError['details'] }) {
    super(body.error ?? `the app responded with status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.details = body.details ?? []
  }
}

export type Send = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>

/** Returns a function that sends one request and throws ApiError if the response is not 2xx. */
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

/** A proxy between client and app may respond with something other than JSON. */
async function readFailure(response: Response) {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return (isJson ? await response.json() : {}) as ConstructorParameters<typeof ApiError>[1]
}

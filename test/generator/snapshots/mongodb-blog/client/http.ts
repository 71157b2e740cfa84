export interface ClientOptions {
  /** Where the app answers, as `http://localhost:8080`. */
  baseUrl: string
  /** From `auth.register` or `auth.login`; sent with every request. */
  token?: string
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

/** A form is sent as it is, any other body as JSON. */
export type Send = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>

/** Throws ApiError for any answer but a success. */
export function createSend({ baseUrl, token, headers, ...options }: ClientOptions): Send {
  const send = options.fetch ?? fetch
  const origin = baseUrl.replace(/\/$/, '')
  const always = { ...(token && { authorization: `Bearer ${token}` }), ...headers }
  return async <Reply>(method: string, path: string, body?: unknown) => {
    const { type, ...payload } = encode(body)
    const response = await send(origin + path, {
      method,
      headers: { ...always, ...type },
      ...payload,
    })
    if (!response.ok) throw new ApiError(response.status, await readFailure(response))
    return (response.status === 204 ? undefined : await response.json()) as Reply
  }
}

/** A form brings its own content type, with the boundary in it. */
function encode(body: unknown) {
  if (body === undefined) return {}
  if (body instanceof FormData) return { body }
  return { body: JSON.stringify(body), type: { 'content-type': 'application/json' } }
}

/** What stands between client and app may answer with something else than JSON. */
async function readFailure(response: Response) {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return (isJson ? await response.json() : {}) as ConstructorParameters<typeof ApiError>[1]
}

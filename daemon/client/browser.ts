import type { Arguments, SuccessOf } from './contract.ts'
import type { EndpointName } from './endpoints.ts'
import { ConnectionError, ResponseError } from './errors.ts'
import { requestLine, type Values } from './request-line.ts'

export interface BrowserCallOptions {
  readonly signal?: AbortSignal
  /** Time until the response is complete, or until a stream begins; default 30 s. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface BrowserClientDeps {
  /** Returns the token to send; undefined sends none. */
  readonly token: () => string | undefined
  /** Called if the daemon refuses the token that was sent, before the call throws. */
  readonly onRefused: (token: string | undefined) => void
  readonly fetch: typeof globalThis.fetch
}

/** A typed client of the daemon's API for browsers. It calls the origin of the page. */
export interface BrowserClient {
  /**
   * Calls a route that answers JSON. Throws ResponseError for an error response, ConnectionError without a response, and
   * the signal's reason if the signal is aborted.
   */
  call<Name extends EndpointName>(
    name: Name,
    ...rest: Arguments<Name, BrowserCallOptions>
  ): Promise<SuccessOf<Name>>
  /** Calls a route that streams or answers a file, and returns the response for reading. */
  open(
    name: EndpointName,
    options?: BrowserCallOptions & { readonly params?: Values; readonly query?: Values },
  ): Promise<Response>
  /** Uploads a file. The time limit counts until the whole response. */
  upload(
    name: 'stageRestore',
    body: Blob,
    options?: BrowserCallOptions,
  ): Promise<SuccessOf<'stageRestore'>>
}

const responseTimeoutMs = 30_000

interface Parts {
  readonly params?: Values | undefined
  readonly query?: Values | undefined
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly file?: Blob
}

export function createBrowserClient({ token, onRefused, fetch }: BrowserClientDeps): BrowserClient {
  async function send(
    name: EndpointName,
    { params, query, body, file }: Parts,
    { signal, headers }: BrowserCallOptions,
    limit: AbortSignal,
  ): Promise<Response> {
    const { method, path } = requestLine(name, params, query)
    const sentToken = token()
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(sentToken !== undefined && { authorization: `Bearer ${sentToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      // The token is the only credential: cookies are never sent.
      credentials: 'omit',
      redirect: 'error',
    })
    if (response.ok) return response
    const error = errorOf(response, await response.text())
    if (response.status === 401) onRefused(sentToken)
    throw error
  }

  async function read<Name extends EndpointName>(
    name: Name,
    parts: Parts,
    options: BrowserCallOptions,
  ): Promise<SuccessOf<Name>> {
    const limit = createLimit(options.timeoutMs)
    try {
      const response = await send(name, parts, options, limit.signal)
      const text = await response.text()
      // The cast relies on the route table, which the daemon and the client share.
      const reply = { status: response.status, ...(text !== '' && { body: parseBody(text) }) }
      return reply as SuccessOf<Name>
    } catch (error) {
      throw clientError(error, options.signal)
    } finally {
      limit.clear()
    }
  }

  return {
    async call(name, ...[input, options = {}]) {
      return read(name, input ?? {}, options)
    },
    upload: (name, file, options = {}) => read(name, { file }, options),
    async open(name, { params, query, ...options } = {}) {
      const limit = createLimit(options.timeoutMs)
      try {
        return await send(name, { params, query }, options, limit.signal)
      } catch (error) {
        throw clientError(error, options.signal)
      } finally {
        limit.clear()
      }
    },
  }
}

/** Yields the chunks of a response's body. Cancels the body if the reader stops. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // A broken connection rejects here too; the read has already thrown its error.
    await reader.cancel().catch(() => undefined)
  }
}

class TimeLimitError extends Error {}

function createLimit(timeoutMs = responseTimeoutMs) {
  const controller = new AbortController()
  const error = new TimeLimitError(`no response for ${timeoutMs / 1000} s`)
  const timer = setTimeout(() => controller.abort(error), timeoutMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

function clientError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof ResponseError || error instanceof ConnectionError) return error
  if (signal?.aborted) return signal.reason
  if (error instanceof TimeLimitError) {
    return new ConnectionError(error.message, { isSent: true, cause: error })
  }
  // A browser hides the cause of a failed fetch from the page.
  return new ConnectionError('the daemon does not answer', { isSent: true, cause: error })
}

function errorOf(response: Response, text: string): ResponseError {
  const body = jsonOf(text)
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  if (typeof body?.error !== 'string') {
    return new ResponseError(
      status,
      `the server answered ${status}, but is not a stratad`,
      {},
      undefined,
      requestId,
    )
  }
  const retryAfter = headers.get('retry-after') ?? undefined
  return new ResponseError(status, body.error, body, retryAfter, requestId)
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConnectionError('the server is not a stratad: the response is not JSON', {
      isSent: true,
    })
  }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // The cast is safe: any object can be read by string keys.
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

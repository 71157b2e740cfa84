import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Arguments, SuccessOf } from './contract.ts'
import type { EndpointName } from './endpoints.ts'
import { ConnectionError, ResponseError } from './errors.ts'
import { requestLine, type Values } from './request-line.ts'
import { type Outgoing, readText, send, type Target } from './transport.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Time until the response begins; default 30 s. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A typed client of the daemon's API. */
export interface Client {
  readonly target: Target
  /**
   * Calls a route that answers JSON. Throws ResponseError for an error response, ConnectionError without a response.
   */
  call<Name extends EndpointName>(
    name: Name,
    ...rest: Arguments<Name, CallOptions>
  ): Promise<SuccessOf<Name>>
  /**
   * Calls a route that streams, and returns the response for reading. The response fails after `silenceMs` without
   * data.
   */
  open(
    name: 'followLogs' | 'followEvents' | 'createBackup' | 'dumpDatabase',
    options: CallOptions & {
      readonly params?: Values
      readonly query?: Values
      readonly silenceMs?: number
    },
  ): Promise<IncomingMessage>
  /** Sends a body that may last as long as the response, and returns the response for reading. */
  exchange(
    name: 'runCommand',
    body: Readable,
    options: CallOptions & { readonly params: Values },
  ): Promise<IncomingMessage>
  /** Uploads a backup or a dump of `bytes` bytes. */
  upload<Name extends 'stageRestore' | 'restoreDatabase'>(
    name: Name,
    body: Readable,
    options: CallOptions & {
      readonly bytes: number
      readonly params?: Values
      readonly query?: Values
    },
  ): Promise<SuccessOf<Name>>
}

const responseTimeoutMs = 30_000

export function createClient(target: Target): Client {
  async function request(outgoing: Omit<Outgoing, 'timeoutMs'>, timeoutMs = responseTimeoutMs) {
    const response = await send(target, { ...outgoing, timeoutMs })
    if (isSuccess(response)) return response
    throw errorOf(response, await readText(response))
  }

  return {
    target,
    async call(name, ...[input, options = {}]) {
      const { params, query, body } = (input ?? {}) as {
        params?: Values
        query?: Values
        body?: unknown
      }
      const response = await request(
        {
          ...requestLine(name, params, query),
          signal: options.signal,
          headers: options.headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
        options.timeoutMs,
      )
      return parseResponse(response)
    },
    open: (name, { params, query, headers, signal, timeoutMs, silenceMs }) =>
      request({ ...requestLine(name, params, query), headers, signal, silenceMs }, timeoutMs),
    exchange: (name, body, { params, headers, signal, timeoutMs }) =>
      request({ ...requestLine(name, params), body, headers, signal }, timeoutMs),
    async upload(name, body, { bytes, params, query, signal, timeoutMs }) {
      const type = name === 'stageRestore' ? 'application/x-tar' : 'application/octet-stream'
      const headers = { 'content-type': type, 'content-length': String(bytes) }
      return parseResponse(
        await request({ ...requestLine(name, params, query), headers, body, signal }, timeoutMs),
      )
    },
  }
}

/** The cast relies on the route table, which the daemon and the client share. */
async function parseResponse<Success>(response: IncomingMessage): Promise<Success> {
  const text = await readText(response)
  const status = response.statusCode
  return { status, ...(text !== '' && { body: parseBody(text) }) } as Success
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

function errorOf(response: IncomingMessage, text: string): Error {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400) {
    const location = headers.location ?? 'another address'
    return new ConnectionError(`it redirects to ${location}: use that address`, { isSent: true })
  }
  const body = jsonOf(text)
  if (typeof body?.error === 'string') {
    return new ResponseError(status, body.error, body, headers['retry-after'])
  }
  return new ResponseError(status, `it answered ${status}, but is not a stratad`)
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConnectionError('it is not a stratad: the response is not JSON', { isSent: true })
  }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>) // The cast is safe: any object can be read by string keys.
      : undefined
  } catch {
    return undefined
  }
}

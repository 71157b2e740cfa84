import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { AppUnderTest } from './check.ts'

export interface Call {
  /** Default: GET. */
  readonly method?: string
  /** Sent unchanged: not normalized, not encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with `Content-Type: application/json`, unless `headers` names another one. */
  readonly json?: unknown
  /** Sent unchanged, without a content type. */
  readonly body?: string | Buffer
  /** Send the body without a Content-Length. */
  readonly chunked?: boolean
  /** Use a new connection and close it afterwards. */
  readonly alone?: boolean
}

export interface Reply {
  /** `GET /health`, for messages. */
  readonly call: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The unparsed body. */
  readonly bytes: Buffer
}

export interface Origin {
  readonly host: string
  readonly port: number
}

/** Servers close idle connections, Node after five seconds: do not reuse a connection near that. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 2_000 })
const answerWithinMs = 120_000

/**
 * Sends one request and returns the complete response of any status. Uses `node:http`, because
 * `fetch` normalizes the path and adds headers. Throws an AssertionError if no response arrives.
 */
export function send(app: AppUnderTest, call: Call): Promise<Reply> {
  const method = call.method ?? 'GET'
  const name = `${method} ${call.path.slice(0, 120)}`
  const body = call.json === undefined ? call.body : JSON.stringify(call.json)
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(noAnswer(name, error))
    const outgoing = request(
      {
        ...originOf(app),
        method,
        path: call.path,
        headers: { ...app.headers, ...headersOf(call, body) },
        agent: call.alone === true ? false : agent,
        signal: AbortSignal.timeout(answerWithinMs),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', fail)
        incoming.on('end', () => {
          const { statusCode = 0, headers } = incoming
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          record(app, method, call.path, statusCode)
          resolve({ call: name, status: statusCode, headers, text, bytes })
        })
      },
    )
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

/** Responses by origin, each as `GET /api/v1/users/1 200`. */
const seen = new Map<string, Set<string>>()

function record({ baseUrl }: AppUnderTest, method: string, path: string, status: number): void {
  const responses = seen.get(baseUrl) ?? new Set()
  seen.set(baseUrl, responses.add(`${method} ${path.split('?')[0]} ${status}`))
}

/** Returns method, path without query, and status of all responses of the application to `send`. */
export function responsesOf({ baseUrl }: AppUnderTest): readonly (readonly string[])[] {
  return [...(seen.get(baseUrl) ?? [])].map((response) => response.split(' '))
}

/** Returns host and port of the application for `node:http` and `node:net`. */
export function originOf(app: AppUnderTest): Origin {
  const { hostname, port } = new URL(app.baseUrl)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port === '' ? 80 : port) }
}

/** Parses the body as JSON. Throws an AssertionError if it is not JSON. */
export function jsonOf(reply: Reply): unknown {
  const type = reply.headers['content-type'] ?? 'no content type'
  assert.match(type, /^application\/json\b/i, `${reply.call} answered ${type}: ${excerpt(reply)}`)
  try {
    return JSON.parse(reply.text)
  } catch {
    return assert.fail(`${reply.call} answered a body that is not JSON: ${excerpt(reply)}`)
  }
}

/** Returns the start of a body for messages. */
export function excerpt(reply: Reply): string {
  return reply.text === '' ? '(empty body)' : reply.text.slice(0, 300)
}

function headersOf(call: Call, body: string | Buffer | undefined): Record<string, string> {
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const framing: Record<string, string> =
    call.chunked === true ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': `${length}` }
  return {
    ...(body === undefined ? {} : framing),
    ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...call.headers,
  }
}

function noAnswer(name: string, cause: Error): Error {
  return new assert.AssertionError({ message: `${name} got no answer: ${cause.message}` })
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlogMutantName } from './mutants.ts'
import type { Tables, UserRow } from './tables.ts'

export type Json = Readonly<Record<string, unknown>>

export type Is = (name: BlogMutantName) => boolean

/** One request with everything that its handler needs. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly query: URLSearchParams
  readonly tables: Tables
  readonly secret: string
  /** Folder of the uploads. */
  readonly folder: string
  readonly is: Is
}

export interface Fault {
  readonly path: string
  readonly message: string
}

export class Refusal extends Error {
  readonly status: number
  readonly details: readonly Fault[]

  constructor(status: number, message: string, details: readonly Fault[] = []) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.details = details
  }
}

/** The claims of a caller's token. */
export type Caller = Pick<UserRow, 'id' | 'email'>

export type Verbs = Readonly<Record<string, () => void | Promise<void>>>

const bodyLimit = 1024 * 1024

export async function serve({ req, res }: Exchange, verbs: Verbs): Promise<void> {
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '')
  const served = verbs.PUT === undefined ? verbs : { ...verbs, PATCH: verbs.PUT }
  const verb = served[method]
  if (verb !== undefined) return verb()
  res.setHeader('Allow', [...Object.keys(served), 'HEAD'].join(', '))
  throw new Refusal(405, 'method not allowed')
}

export function sendJson(exchange: Exchange, status: number, body: unknown): void {
  const { req, res } = exchange
  const { id } = { ...(body as Json) } // only the key is read
  if (status === 201 && id !== undefined) res.setHeader('Location', `${req.url}/${id}`)
  sendBytes(exchange, status, 'application/json', JSON.stringify(body))
}

export function sendBytes(
  exchange: Exchange,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  const { res } = exchange
  res.statusCode = status
  secure(exchange)
  res.setHeader('Content-Type', type)
  res.end(body)
}

export function sendNothing(exchange: Exchange): void {
  exchange.res.statusCode = 204
  secure(exchange)
  exchange.res.end()
}

/** Reads the body as JSON, up to the limit. */
export async function readJson(exchange: Exchange): Promise<unknown> {
  const { req, is } = exchange
  const type = req.headers['content-type'] ?? ''
  const isForm = is('auth-takes-forms') && type.startsWith('application/x-www-form-urlencoded')
  if (!isForm && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(415, 'send application/json')
  }
  const charset = /charset=([^;]+)/i.exec(type)?.[1] ?? 'utf-8'
  const bytes = await readBytes(exchange, bodyLimit)
  if (req.headers['content-encoding'] !== undefined)
    throw new Refusal(415, 'not compressed, please')
  if (!/^utf-?8$/i.test(charset)) throw new Refusal(415, 'charset not supported')
  try {
    if (isForm) return Object.fromEntries(new URLSearchParams(bytes.toString()))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
}

/**
 * Reads the body to its end. Throws if it exceeds the limit. `check` sees the first bytes as they come and can throw before
 * the end; the rest is then discarded.
 */
export async function readBytes(
  { req }: Exchange,
  limit: number,
  check?: (first: Buffer) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      chunks.push(chunk)
      if (chunks.length < 3 || length > limit) check?.(Buffer.concat(chunks))
      if (length > limit) chunks.pop()
    }
  } finally {
    req.resume()
  }
  if (length > limit) throw new Refusal(413, 'the body is too large')
  return Buffer.concat(chunks)
}

function secure({ req, res }: Exchange): void {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('X-Request-Id', req.headers['x-request-id'] ?? randomUUID())
}

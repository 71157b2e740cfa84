import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { isInRange, pageOf, rangeParameters, readOrder } from './reference-lists.ts'
import type { MutantName } from './reference-mutants.ts'
import { referenceDocument } from './reference-openapi.ts'
import { createReferenceStore, type ReferenceStore } from './reference-store.ts'
import {
  type Fault,
  faultsOfBody,
  faultsOfQuery,
  type Json,
  managed,
} from './reference-validation.ts'

/**
 * The smallest correct user application, which tests the suite itself. `mutant` breaks one rule,
 * and the suite must detect it.
 */
export function createReferenceApp(
  store: ReferenceStore,
  mutant: MutantName | undefined,
): RequestListener {
  const is = (name: MutantName): boolean => mutant === name
  return async (req, res) => {
    try {
      await answer({ req, res, store, is })
    } catch (failure) {
      const error = is('stack-leaked') ? String((failure as Error).stack) : 'internal error'
      if (is('crash-on-huge-id')) res.destroy()
      else sendJson({ req, res, store, is }, 500, { error })
    }
  }
}

export interface RunningReference {
  readonly baseUrl: string
  readonly stop: () => void
}

/** Starts the reference in memory, on a free port. */
export async function startReferenceApp(mutant?: MutantName): Promise<RunningReference> {
  const server = createServer(createReferenceApp(createReferenceStore(mutant), mutant))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has an AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly store: ReferenceStore
  readonly is: (name: MutantName) => boolean
}

class Refusal extends Error {
  readonly status: number
  readonly details: readonly Fault[]

  constructor(status: number, message: string, details: readonly Fault[] = []) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.details = details
  }
}

const bodyLimit = 1024 * 1024

async function answer(exchange: Exchange): Promise<void> {
  const { req } = exchange
  const url = req.url ?? '/'
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  try {
    await route(exchange, decoded(exchange, path), query)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuse(exchange, error)
  }
}

async function route(exchange: Exchange, path: string, query: URLSearchParams): Promise<void> {
  const { is } = exchange
  if (path === '/health') return serve(exchange, { GET: () => health(exchange) })
  if (path === '/ready') {
    const status = is('ready-status') ? 'ok' : 'ready'
    return serve(exchange, { GET: () => sendJson(exchange, 200, { status }) })
  }
  if (path === '/openapi.json') {
    return serve(exchange, { GET: () => sendJson(exchange, 200, referenceDocument(is)) })
  }
  if (path === '/api/v1/users') {
    return serve(exchange, {
      GET: () => list(exchange, query),
      POST: () => create(exchange),
      ...(is('documents-too-little') ? { PATCH: () => sendJson(exchange, 200, {}) } : {}),
    })
  }
  const [, last] = /^\/api\/v1\/users\/([^/]+)$/s.exec(path) ?? []
  if (last === undefined) throw new Refusal(404, 'not found')
  const id = (): number => idOf(exchange, last)
  return serve(exchange, {
    GET: () => sendJson(exchange, 200, present(exchange, found(exchange, id()))),
    PUT: () => update(exchange, id()),
    DELETE: () => remove(exchange, id()),
  })
}

type Verbs = Readonly<Record<string, () => void | Promise<void>>>

async function serve(exchange: Exchange, verbs: Verbs): Promise<void> {
  const { req, res, is } = exchange
  const method = req.method === 'HEAD' && !is('head-refused') ? 'GET' : (req.method ?? '')
  const served = verbs.PUT === undefined ? verbs : { ...verbs, PATCH: patchOf(exchange, verbs.PUT) }
  const verb = served[method]
  if (verb !== undefined) return verb()
  if (is('405-as-404')) throw new Refusal(404, 'not found')
  const names = is('allow-incomplete') ? Object.keys(served).slice(0, 1) : Object.keys(served)
  if (!is('allow-missing')) res.setHeader('Allow', [...names, 'HEAD'].join(', '))
  throw new Refusal(405, 'method not allowed')
}

/** PATCH is PUT. */
function patchOf(exchange: Exchange, put: () => void | Promise<void>) {
  return exchange.is('patch-does-nothing') ? () => sendJson(exchange, 200, {}) : put
}

function health(exchange: Exchange): void {
  const { is } = exchange
  const now = is('health-frozen') ? new Date(Date.now() - (Date.now() % 3_600_000)) : new Date()
  sendJson(exchange, 200, {
    status: is('health-status') ? 'healthy' : 'ok',
    timestamp: is('health-epoch') ? now.getTime() : now.toISOString(),
    ...(is('health-uptime') ? { uptime: 1 } : {}),
  })
}

function list(exchange: Exchange, query: URLSearchParams): void {
  const { is, store } = exchange
  const isOdd = [...query.keys()].some((name) => name.includes('['))
  if (is('odd-query-500') && isOdd) throw new TypeError('no such parameter')
  const order = readOrder('users', query, [], is)
  const ages = rangeParameters('age', query, is)
  const faults = [
    ...faultsOfQuery(query, ['sort', 'cursor', ...ages.names], is),
    ...[...order.faults, ...ages.faults].map((path) => ({ path, message: 'is not valid' })),
  ]
  if (faults.length > 0) throw new Refusal(400, 'the query is not valid', faults)
  const read = (name: string, otherwise: number): number =>
    Number(query.get(name) === null || query.get(name) === '' ? otherwise : query.get(name))
  const page = Math.max(1, Math.trunc(read('page', 1)))
  const size = Math.min(100, read('page_size', is('page-size-10') ? 10 : 20))
  const skipped = is('offset-off-by-one') ? page * size : (page - 1) * size
  if (is('window-of-10000') && skipped >= 10_000) throw new Refusal(400, 'window too large')
  if (is('offset-overflow') && skipped > 2 ** 31) throw new RangeError('offset out of range')
  const rows = store.sorted()
  const inRange = rows.filter((row) => isInRange(row.age, 'age', query, is))
  const cut = { skipped, size: is('page-one-short') ? size - 1 : size, is }
  const isPlain = !query.has('sort') && !query.has('cursor')
  const following = pageOf('users', inRange, order, cut)
  const users = isPlain ? inRange.slice(skipped, skipped + cut.size) : following.shown
  if (is('past-the-end-404') && users.length === 0 && page > 1) throw new Refusal(404, 'no page')
  const pastEnd = is('total-lost-past-end') && users.length === 0
  const total = is('total-of-page') ? users.length : inRange.length + store.ghosts()
  sendJson(exchange, 200, {
    [is('list-key-data') ? 'data' : 'users']: users.map((row) => present(exchange, row)),
    total: pastEnd ? 0 : total,
    ...(is('list-without-page') ? {} : { page }),
    page_size: is('page-size-as-sent') ? read('page_size', 0) : size,
    next_cursor: following.next_cursor,
    ...(is('list-extra-key') ? { pages: 1 } : {}),
  })
}

async function create(exchange: Exchange): Promise<void> {
  const { is, store } = exchange
  const body = await validBody(exchange, false)
  if (is('email-unique') && store.sorted().some((row) => row.email === body.email)) {
    throw new Refusal(409, 'email taken')
  }
  const row = await store.create(body)
  if (!is('no-location')) exchange.res.setHeader('Location', `/api/v1/users/${row.id}`)
  sendJson(exchange, is('create-200') ? 200 : 201, present(exchange, row))
}

async function update(exchange: Exchange, id: number): Promise<void> {
  const { is, store } = exchange
  const body = await validBody(exchange, true)
  if (!is('put-upserts')) found(exchange, id)
  const row = await store.update(id, body)
  if (row === undefined) throw new Refusal(404, 'user not found')
  sendJson(exchange, is('update-201') ? 201 : 200, present(exchange, row))
}

async function remove(exchange: Exchange, id: number): Promise<void> {
  const { is, req, res, store } = exchange
  if (!(await store.remove(id)) && !is('delete-absent-204'))
    throw new Refusal(404, 'user not found')
  if (is('delete-200')) return sendJson(exchange, 200, {})
  secure(exchange)
  res.statusCode = 204
  if (is('delete-with-body')) return void req.socket.end('HTTP/1.1 204 No Content\r\n\r\n{}')
  res.end()
}

async function validBody(exchange: Exchange, isPartial: boolean): Promise<Json> {
  const { is, store } = exchange
  const body = await readJson(exchange)
  const faults = faultsOfBody(body, isPartial, is)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (is('fault-still-writes') && faults.length > 0) await store.create(knownOf(body))
  if (faults.length > 0) {
    const shown = is('first-fault-only') ? faults.slice(0, 1) : faults
    throw new Refusal(400, 'validation failed', isObject ? shown : [])
  }
  const own = Object.entries({ ...(body as object) }).filter(
    ([key]) => is('managed-written') || !managed.has(key),
  )
  if (own.length === 0 && !is('empty-put-accepted')) throw new Refusal(400, 'nothing to change')
  return Object.fromEntries(own)
}

function knownOf(body: unknown): Json {
  const { name = 'x', email = 'x@example.com' } = { ...(body as Json) } // only keys are read
  return { name, email, age: 1 }
}

async function readJson(exchange: Exchange): Promise<unknown> {
  const { is, req } = exchange
  const type = req.headers['content-type'] ?? ''
  const name = is('type-case-matters') ? type : type.toLowerCase()
  const isJson = is('charset-refused')
    ? name === 'application/json'
    : /^application\/json\s*(;|$)/.test(name)
  if (!isJson && !is('any-content-type')) throw new Refusal(415, 'send application/json')
  const charset = /charset=([^;]+)/i.exec(type)?.[1] ?? 'utf-8'
  const raw = await readBytes(exchange).catch((error: unknown) => {
    if (is('hang-up-stores')) void exchange.store.create({ name: 'half' })
    throw error
  })
  const encoding = req.headers['content-encoding']
  const isBad = encoding !== undefined && !(is('gzip-unlimited') && encoding === 'gzip')
  if (isBad) throw new Refusal(415, 'encoding not supported')
  const bytes = encoding === undefined ? raw : gunzipSync(raw)
  if (is('bytes-500')) new TextDecoder(charset, { fatal: true }).decode(bytes)
  if (!/^utf-?8$/i.test(charset)) throw new Refusal(415, 'charset not supported')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (error) {
    if (is('bad-json-500')) throw error
    throw new Refusal(400, 'the body is not JSON')
  }
}

async function readBytes({ is, req, res }: Exchange): Promise<Buffer> {
  const limit = is('limit-100-kib') ? 100 * 1024 : is('limit-off') ? Infinity : bodyLimit
  const declared = Number(req.headers['content-length'] ?? 0)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length <= limit || is('limit-only-declared')) chunks.push(chunk)
  }
  const tooLong = is('limit-only-declared') ? declared > limit : length > limit
  if (tooLong && is('too-large-hangs-up')) res.destroy()
  if (tooLong) throw new Refusal(413, 'the body is larger than 1 MiB')
  return Buffer.concat(chunks)
}

function found({ store }: Exchange, id: number) {
  const row = store.find(id)
  if (row === undefined) throw new Refusal(404, 'user not found')
  return row
}

function idOf({ is }: Exchange, last: string): number {
  if (is('negative-id-404') && last === '-1') throw new Refusal(404, 'user not found')
  if (is('id-parse-int') && Number.parseInt(last, 10) > 0) return Number.parseInt(last, 10)
  if (is('id-number') && Number.isInteger(Number(last)) && Number(last) > 0) return Number(last)
  if (!/^[1-9]\d*$/.test(last)) throw new Refusal(400, 'the id is not an unsigned integer')
  const id = Number(last)
  if (is('crash-on-huge-id') && !Number.isSafeInteger(id)) throw new RangeError('id out of range')
  if (is('id-32-bit') && id >= 2 ** 31) throw new RangeError('id out of range')
  if (!Number.isSafeInteger(id)) throw new Refusal(404, 'user not found')
  return id
}

function decoded({ is }: Exchange, path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (is('bad-encoding-500')) throw error
    throw new Refusal(400, 'the path is badly encoded')
  }
}

function present({ is }: Exchange, row: Json): Json {
  const { created_at, updated_at, ...rest } = row
  if (is('camel-case')) return { ...rest, createdAt: created_at, updatedAt: updated_at }
  if (is('extra-key')) return { ...row, _id: 'x' }
  if (is('id-string')) return { ...row, id: String(row.id) }
  if (is('local-timestamps')) return { ...row, created_at: String(created_at).replace('Z', '') }
  if (is('html-escaped')) return { ...row, name: String(row.name).replaceAll('<', '&lt;') }
  return row
}

function refuse(exchange: Exchange, refusal: Refusal): void {
  const { status, message, details } = refusal
  const { is, req, res } = exchange
  if (is('404-html') && status === 404) {
    res.statusCode = 404
    secure(exchange)
    res.setHeader('Content-Type', 'text/html')
    return void res.end(`<pre>Cannot ${req.method} ${req.url}</pre>`)
  }
  if (is('refusal-closes') && status === 400) res.setHeader('Connection', 'close')
  sendJson(exchange, status, {
    [is('error-key-message') ? 'message' : 'error']: is('stack-leaked') ? refusal.stack : message,
    ...(details.length > 0 && !is('no-details') ? { details } : {}),
    ...(is('error-status-code') ? { statusCode: status } : {}),
  })
}

function sendJson(exchange: Exchange, status: number, body: unknown): void {
  const { is, req, res } = exchange
  const isError = status >= 400
  res.statusCode = status
  secure(exchange)
  res.setHeader('Content-Type', isError && is('errors-as-text') ? 'text/plain' : 'application/json')
  const text = JSON.stringify(body)
  if (is('head-with-body') && req.method === 'HEAD') {
    return void req.socket.end(
      `HTTP/1.1 ${status} OK\r\nContent-Type: application/json\r\n\r\n${text}`,
    )
  }
  res.end(text)
}

function secure({ is, req, res }: Exchange): void {
  const isError = res.statusCode >= 400
  const isUnsniffed = is('no-nosniff-on-errors') && isError
  if (!isUnsniffed) res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', is('framing-sameorigin') ? 'SAMEORIGIN' : 'DENY')
  if (!is('no-referrer-policy')) res.setHeader('Referrer-Policy', 'no-referrer')
  if (is('x-powered-by')) res.setHeader('X-Powered-By', 'Express')
  const given = is('request-id-ignored') ? undefined : req.headers['x-request-id']
  if (!is('request-id-missing')) res.setHeader('X-Request-Id', given ?? randomUUID())
}

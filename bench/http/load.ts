import { connect } from 'node:net'

/** A closed loop: each connection sends its next request after the previous response. */
export interface LoadJob {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly requests: RequestKind
  /** Expected status of every response; any other fails the job. */
  readonly expect: number
}

export type RequestKind =
  /** Reads one record: `path`, a slash and a random one of `ids`. */
  | { readonly kind: 'get'; readonly path: string; readonly ids: readonly number[] }
  /** Always requests the same path and query. */
  | { readonly kind: 'list'; readonly path: string }
  /** Creates a user. */
  | { readonly kind: 'post'; readonly path: string }

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly count: number
}

/**
 * Sends load to a server on 127.0.0.1. Uses plain sockets, as an HTTP client would cost more than the measured server.
 * Throws on an unexpected status, or on a response without a content-length.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const until = startedAt + job.durationMs
  const next = requestWriter(job)
  await Promise.all(
    Array.from({ length: job.connections }, () => drive(job, next, until, latenciesMs)),
  )
  const seconds = (performance.now() - startedAt) / 1000
  latenciesMs.sort((a, b) => a - b)
  const at = (q: number) => latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? Number.NaN
  return {
    requestsPerSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    count: latenciesMs.length,
  }
}

function drive(job: LoadJob, next: () => string, until: number, latenciesMs: number[]) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(next())
    }
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.setEncoding('latin1')
    socket.setTimeout(60_000, () => fail('no response within 60 s'))
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('end', () => fail('the server closed the connection'))
    socket.on('data', (chunk: string) => {
      received += chunk
      const response = parseResponse(received)
      if (response.kind === 'partial') return
      if (response.kind === 'unreadable' || response.status !== job.expect) {
        return fail(`expected ${job.expect}, got: ${received.slice(0, 400)}`)
      }
      received = ''
      const now = performance.now()
      latenciesMs.push(now - sentAt)
      if (now < until) return send()
      socket.destroy()
      resolve()
    })
  })
}

type Response = { kind: 'partial' } | { kind: 'unreadable' } | { kind: 'whole'; status: number }

function parseResponse(text: string): Response {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return { kind: 'partial' }
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2))?.[1]
  if (length === undefined) return { kind: 'unreadable' }
  if (text.length < headEnd + 4 + Number(length)) return { kind: 'partial' }
  return { kind: 'whole', status: Number(text.slice(9, 12)) }
}

/** Returns a function that returns the text of the next request. */
function requestWriter(job: LoadJob): () => string {
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\naccept: application/json\r\n`
  const { requests } = job
  switch (requests.kind) {
    case 'get':
      return () => `${head('GET', `${requests.path}/${pick(requests.ids)}`)}\r\n`
    case 'list': {
      const text = `${head('GET', requests.path)}\r\n`
      return () => text
    }
    case 'post': {
      let n = 0
      return () => {
        n += 1
        const body = `{"name":"Ada ${n}","email":"ada${n}@example.com","age":${20 + (n % 60)}}`
        return `${head('POST', requests.path)}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      }
    }
  }
}

function pick(ids: readonly number[]): number {
  const id = ids[Math.floor(Math.random() * ids.length)]
  if (id === undefined) throw new Error('no ids to request')
  return id
}

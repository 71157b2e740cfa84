import { connect } from 'node:net'

/** A closed loop: each connection sends its next request after the previous response. */
export interface LoadJob {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Sent in turn; each connection starts at another index. */
  readonly requests: readonly LoadRequest[]
  /** Minimum number of responses per connection, regardless of `durationMs`. */
  readonly atLeast?: number
}

export interface LoadRequest {
  /** The full text of the request. */
  readonly text: string
  readonly status: number
  /** Expected body, byte for byte; `''` for a response without a body. */
  readonly body: string
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly count: number
  /** Share of a core that the load generator used. Near 1, the generator limits the result. */
  readonly ownShare: number
}

/**
 * Sends load to a server on 127.0.0.1 over plain keep-alive sockets, as an HTTP client would cost
 * more than the measured server. Throws on an unexpected response. A response without a
 * content-length counts as a response without a body.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const requests = job.requests.map(({ text, status, body }) => ({
    text,
    status,
    // Sockets are read as latin1, so the expected body must be too.
    body: Buffer.from(body).toString('latin1'),
  }))
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const until = startedAt + job.durationMs
  await Promise.all(
    Array.from({ length: job.connections }, (_, index) =>
      drive(job, cycleFrom(requests, index / job.connections), until, latenciesMs),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  latenciesMs.sort((a, b) => a - b)
  const at = (q: number) => latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? Number.NaN
  return {
    requestsPerSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    count: latenciesMs.length,
    ownShare: (user + system) / 1e6 / seconds,
  }
}

/** Returns a function that cycles through the requests, starting at a relative position from 0 to 1. */
function cycleFrom(requests: readonly LoadRequest[], position: number): () => LoadRequest {
  let index = Math.floor(position * requests.length)
  return () => {
    const request = requests[index % requests.length]
    index += 1
    if (request === undefined) throw new Error('no requests to send')
    return request
  }
}

function drive(
  { port, atLeast = 1 }: LoadJob,
  next: () => LoadRequest,
  until: number,
  latenciesMs: number[],
) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let request = next()
    let answers = 0
    let sentAt = 0
    let received = ''
    /** Head of the current response; undefined until it is complete. */
    let head: Head | undefined
    const send = () => {
      received = ''
      head = undefined
      sentAt = performance.now()
      socket.write(request.text)
    }
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.setEncoding('latin1')
    socket.setTimeout(30_000, () => fail('no response within 30 s'))
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('end', () => fail('the server closed the connection'))
    socket.on('data', (chunk: string) => {
      received += chunk
      head ??= headOf(received)
      if (head === undefined || received.length < head.bodyAt + head.bodyLength) return
      const now = performance.now()
      if (head.status !== request.status || received.slice(head.bodyAt) !== request.body) {
        return fail(
          `${request.text.split('\r\n', 1)[0]}: expected ${request.status} ${request.body.slice(0, 200)}, got ${received.slice(0, 900)}`,
        )
      }
      latenciesMs.push(now - sentAt)
      answers += 1
      if (now < until || answers < atLeast) {
        request = next()
        return send()
      }
      socket.destroy()
      resolve()
    })
  })
}

interface Head {
  readonly status: number
  readonly bodyAt: number
  readonly bodyLength: number
}

function headOf(text: string): Head | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const status = Number(text.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0
  return { status, bodyAt: end + 4, bodyLength: status === 304 ? 0 : Number(length) }
}

import { connect } from 'node:net'

/** A closed loop: each connection sends its next request when the answer to the last has come. */
export interface LoadJob {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Sent in turn, each connection beginning at another one. */
  readonly requests: readonly LoadRequest[]
  /** Answers that each connection waits for, however long that takes. */
  readonly atLeast?: number
}

export interface LoadRequest {
  /** The whole request as it goes over the wire. */
  readonly text: string
  readonly status: number
  /** What must come, byte for byte; `''` for an answer without a body. */
  readonly body: string
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly count: number
  /** Share of a core that making the load took: near 1 it measures itself. */
  readonly ownShare: number
}

/**
 * Drives one server on 127.0.0.1 over plain sockets that are kept, so that the load costs less than what it measures.
 * Throws on an answer that is not the one expected; one without a content-length has no body.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const requests = job.requests.map(({ text, status, body }) => ({
    text,
    status,
    // As the bytes that are read.
    body: Buffer.from(body).toString('latin1'),
  }))
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const until = startedAt + job.durationMs
  await Promise.all(
    Array.from({ length: job.connections }, (_, index) =>
      drive(job, startingAt(requests, index / job.connections), until, latenciesMs),
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

/** Gives one request after the other, for ever, from a place between the first (0) and the last (1). */
function startingAt(requests: readonly LoadRequest[], place: number): () => LoadRequest {
  let index = Math.floor(place * requests.length)
  return () => {
    const request = requests[index % requests.length]
    index += 1
    if (request === undefined) throw new Error('nothing to ask for')
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
    /** Of the answer that is coming; undefined until its head is there. */
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
    socket.setTimeout(30_000, () => fail('no answer within 30 s'))
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

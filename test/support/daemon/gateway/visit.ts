import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { host } from './started.ts'

export interface Visit {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly trailers: IncomingMessage['trailers']
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of the parsed body.
  readonly json: any
}

export interface VisitOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly agent?: Agent
}

/** Sends a request through the gateway, on a new connection unless an agent is given. */
export function visit(port: number, path = '/', options: VisitOptions = {}): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const made = open(port, path, options)
    made.on('error', reject)
    made.on('response', (response) => read(response).then(resolve, reject))
    made.end(options.body)
  })
}

/** Creates a request that the caller writes and ends. */
export function open(port: number, path: string, options: VisitOptions = {}): ClientRequest {
  const { method = 'GET', headers = {}, agent = false } = options
  return request({ port, host: '127.0.0.1', path, method, agent, headers: { host, ...headers } })
}

export async function read(response: IncomingMessage): Promise<Visit> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { statusCode: status = 0, headers, trailers } = response
  return { status, headers, trailers, text, json: jsonOf(text) }
}

/** Sends raw bytes. Resolves with the answer when the connection closes or `isEnough` returns true. */
export function exchangeRaw(
  port: number,
  bytes: string,
  isEnough: (answer: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (isEnough(answer)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of the parsed body.
function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

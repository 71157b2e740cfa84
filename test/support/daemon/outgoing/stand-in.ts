import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server on this machine that stands for a host on the internet. */
export interface StandIn {
  readonly url: string
  readonly received: Received[]
  /** Answers of the next requests, before the usual one. `hang`: no answer. */
  readonly answers: (Answer | 'hang')[]
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts a server that answers each request with `usual`. */
export async function startStandIn(
  usual: (request: Received) => Answer = () => ({ status: 204 }),
): Promise<StandIn> {
  const received: Received[] = []
  const answers: (Answer | 'hang')[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() }
    received.push(seen)
    const answer = answers.shift() ?? usual(seen)
    if (answer !== 'hang') send(response, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

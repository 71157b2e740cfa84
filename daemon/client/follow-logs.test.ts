import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createClient } from './client.ts'
import { ConnectionError, ResponseError } from './errors.ts'
import { followLogs, type LogLine } from './follow-logs.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Serve = (req: IncomingMessage, res: ServerResponse, turn: number) => void

/** Creates a client of a server that answers with `serve`; `turn` is the number of earlier requests. */
async function clientOf(serve: Serve) {
  let turn = 0
  server = createServer((req, res) => {
    serve(req, res, turn)
    turn += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return createClient({ url: `http://127.0.0.1:${port}`, token: undefined })
}

function event(id: number): string {
  const line = { ts: '2026-01-31T12:00:00.000Z', stream: 'stdout', line: `line ${id}` }
  return `id: ${id}\ndata: ${JSON.stringify(line)}\n\n`
}

async function idsOf(lines: AsyncIterable<LogLine>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of lines) ids.push(id)
  return ids
}

test('reconnects after the last complete line if the connection breaks', async () => {
  const asked: (string | undefined)[] = []
  const drops: string[] = []
  const client = await clientOf((req, res, turn) => {
    const after = req.headers['last-event-id']
    asked.push(typeof after === 'string' ? after : undefined)
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const from = Number(after ?? 0)
    // Cuts the last event of each response in the middle.
    const text = [1, 2, 3].map((step) => event(from + step)).join('')
    if (turn === 3) res.end(`${event(from + 1)}event: end\ndata: {}\n\n`)
    else res.write(text.slice(0, -10), () => res.destroy())
  })
  const ids = await idsOf(followLogs(client, 1, { onDrop: (why) => drops.push(why) }))
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(asked).toEqual([undefined, '2', '4', '6'])
  expect(drops.length).toBe(3)
})

test('reconnects if the daemon ends the stream or answers 503', async () => {
  const client = await clientOf((req, res, turn) => {
    const next = event(Number(req.headers['last-event-id'] ?? 0) + 1)
    const texts = [next, '{"error":"starting"}', `${next}event: end\ndata: {}\n\n`]
    res.writeHead(turn === 1 ? 503 : 200, { 'content-type': 'text/event-stream' })
    res.end(texts[turn])
  })
  expect(await idsOf(followLogs(client, 1))).toEqual([1, 2])
})

test('throws on a 404 without another request', async () => {
  const client = await clientOf((_, res) => {
    res.writeHead(404).end('{"error":"no environment 1"}')
  })
  const error = await idsOf(followLogs(client, 1)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ResponseError)
  expect(error).toMatchObject({ status: 404, message: 'no environment 1' })
})

test('throws if the first connection fails', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', token: undefined })
  await expect(idsOf(followLogs(client, 1))).rejects.toBeInstanceOf(ConnectionError)
})

test('ends if its signal is aborted', async () => {
  const over = new AbortController()
  const client = await clientOf((_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write(event(1))
  })
  const ids: number[] = []
  for await (const { id } of followLogs(client, 1, { signal: over.signal })) {
    ids.push(id)
    over.abort()
  }
  expect(ids).toEqual([1])
})

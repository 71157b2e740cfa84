import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../test/support/apps/eventually.ts'
import { ResponseError } from '../../../client/errors.ts'
import { type Connection, type FollowDeps, type LogStart, startFollowing } from './follow-log.ts'
import type { LogLine } from './log-line.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

let server: Server | undefined
let stop: () => void = () => {}
afterEach(() => {
  stop()
  server?.closeAllConnections()
  server?.close()
})

const text = (id: number, line = `line ${id}`) =>
  `id: ${id}\ndata: ${JSON.stringify({ ts: '2026-01-31T12:00:00.000Z', stream: 'stdout', line })}\n\n`

/** Follows a server that gives one answer to each connection; the last answer repeats. */
async function follow(answers: Answer[], start: LogStart, given: Partial<FollowDeps> = {}) {
  const asked: LogStart[] = []
  const lines: LogLine[] = []
  const connections: Connection[] = []
  server = createServer((req, res) =>
    (answers.length > 1 ? answers.shift() : answers[0])?.(req, res),
  )
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const following = startFollowing(start, {
    async open(from, signal) {
      asked.push(from)
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal })
      if (response.ok) return response
      const { error } = (await response.json()) as { error: string }
      throw new ResponseError(response.status, error)
    },
    onLine: (line) => void lines.push(line),
    onConnection: (connection) => void connections.push(connection),
    firstRetryMs: 1,
    now: Date.now,
    ...given,
  })
  stop = following.stop
  const until = async (isTrue: () => boolean) => expect(await eventually(isTrue, 10_000)).toBe(true)
  return { asked, lines, connections, following, until, ids: () => lines.map(({ id }) => id) }
}

const last = (connections: readonly Connection[]) => connections.at(-1)
const isOver = (connections: readonly Connection[]) =>
  ['ended', 'failed'].includes(last(connections)?.kind ?? '')

test('lines arrive until the end event', async () => {
  const log = await follow(
    [(_req, res) => res.end(`${text(10)}: keep-alive\n\n${text(20)}event: end\ndata: {}\n\n`)],
    { newest: 1000 },
  )
  await log.until(() => isOver(log.connections))
  expect(log.ids()).toEqual([10, 20])
  expect(log.connections.map(({ kind }) => kind)).toEqual(['connecting', 'live', 'ended'])
  expect(log.asked).toEqual([{ newest: 1000 }])
})

test('a broken connection resumes after the last line, without a gap or a repetition', async () => {
  const log = await follow(
    [
      (_req, res) => {
        res.write(`${text(10)}${text(20)}id: 30\ndata: {"ts":"cut`)
        setTimeout(() => res.destroy(), 20)
      },
      (_req, res) => res.end(text(20) + text(30)),
      (_req, res) => res.writeHead(503).end('{"error":"starting"}'),
      (_req, res) => res.end(`${text(40)}event: end\ndata: {}\n\n`),
    ],
    { newest: 50 },
  )
  await log.until(() => isOver(log.connections))
  expect(log.ids()).toEqual([10, 20, 30, 40])
  expect(log.asked).toEqual([{ newest: 50 }, { afterId: 20 }, { afterId: 30 }, { afterId: 30 }])
  const reasons = log.connections.flatMap((connection) =>
    connection.kind === 'lost' ? [connection.why] : [],
  )
  expect(reasons.slice(1)).toEqual(['the daemon ended the connection', 'starting'])
})

test('an error event leads to a new connection after the last line', async () => {
  const log = await follow(
    [
      (_req, res) => res.end(`${text(10)}event: error\ndata: {"error":"too slow"}\n\n`),
      (_req, res) => res.end('event: end\ndata: {}\n\n'),
    ],
    { afterId: 0 },
  )
  await log.until(() => isOver(log.connections))
  expect(log.asked).toEqual([{ afterId: 0 }, { afterId: 10 }])
  expect(log.connections).toContainEqual(expect.objectContaining({ kind: 'lost', why: 'too slow' }))
})

test('a refusal is final and has the sentence of the daemon', async () => {
  const log = await follow(
    [(_req, res) => res.writeHead(404).end('{"error":"no environment 7"}')],
    { newest: 50 },
  )
  await log.until(() => isOver(log.connections))
  expect(last(log.connections)).toEqual({ kind: 'failed', why: 'no environment 7' })
})

test('a silent connection is replaced', async () => {
  const log = await follow(
    [(_req, res) => void res.write(text(10)), (_req, res) => res.end('event: end\ndata: {}\n\n')],
    { newest: 50 },
    { silenceMs: 200 },
  )
  await log.until(() => isOver(log.connections))
  expect(log.connections).toContainEqual(
    expect.objectContaining({ kind: 'lost', why: 'the daemon has gone silent' }),
  )
  expect(log.asked).toEqual([{ newest: 50 }, { afterId: 10 }])
})

test('an empty log is read from its start after a lost connection', async () => {
  let now = 0
  const log = await follow(
    [
      (_req, res) => {
        res.flushHeaders()
        setTimeout(() => res.destroy(), 50)
      },
      (_req, res) => res.end('event: end\ndata: {}\n\n'),
    ],
    { newest: 50 },
    { now: () => (now += 3000) },
  )
  await log.until(() => isOver(log.connections))
  expect(log.asked).toEqual([{ newest: 50 }, { afterId: 0 }])
})

test('a retry can be asked for during the wait, and nothing arrives after a stop', async () => {
  let isClosed = false
  const open: Answer = (_req, res) => {
    res.write(text(10))
    res.once('close', () => {
      isClosed = true
    })
  }
  const log = await follow(
    [(_req, res) => res.destroy(), open],
    { newest: 50 },
    { firstRetryMs: 3_600_000 },
  )
  await log.until(() => last(log.connections)?.kind === 'lost')
  log.following.retryNow()
  await log.until(() => log.lines.length === 1)
  log.following.stop()
  const count = log.connections.length
  await log.until(() => isClosed)
  expect(log.connections).toHaveLength(count)
})

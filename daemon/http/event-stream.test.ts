import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import { DaemonError } from '../errors.ts'
import type { LogLine } from '../ports.ts'

let server: TestServer
let path: string
beforeEach(async () => {
  server = await startServer()
  path = `/environments/${(await server.addEnvironment({})).id}/logs/stream`
})
afterEach(() => server.stop())

/** Replaces the source of log lines. */
function followWith(
  source: (afterId: number | null, signal: AbortSignal) => AsyncIterable<LogLine>,
) {
  server.rig.logs.follow = (_id, afterId, signal) => source(afterId, signal)
}

const line = (id: number, text: string): LogLine => ({
  id,
  ts: '2026-01-31T12:00:00.000Z',
  stream: 'stdout',
  line: text,
})

/** Opens the stream; `text()` returns the part received so far. */
function open(headers: Record<string, string> = {}) {
  let text = ''
  let isOver = false
  const req = request(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${masterToken}`, ...headers },
  })
  const opened = new Promise<Record<string, unknown>>((resolve, reject) => {
    req.on('response', (res) => {
      res.setEncoding('utf8')
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('close', () => {
        isOver = true
      })
      res.on('error', () => undefined)
      resolve({ status: res.statusCode, ...res.headers })
    })
    req.on('error', reject)
    req.end()
  })
  return { opened, text: () => text, isOver: () => isOver, leave: () => req.destroy() }
}

test('log lines are sent as events with ids, followed by an `end` event', async () => {
  followWith(async function* () {
    yield line(0, 'listening')
    yield line(10, 'a "quoted"\u2028line')
  })
  const stream = open()
  expect(await stream.opened).toMatchObject({
    status: 200,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(await eventually(stream.isOver, 5000)).toBe(true)
  const [first, second, end] = stream.text().split('\n\n')
  expect(first).toBe(
    'id: 0\ndata: {"ts":"2026-01-31T12:00:00.000Z","stream":"stdout","line":"listening"}',
  )
  expect(second?.split('\n')).toHaveLength(2)
  expect(end).toBe('event: end\ndata: {}')
})

test('a stream resumes after Last-Event-ID, and answers 400 for an invalid id', async () => {
  const asked: (number | null)[] = []
  followWith(async function* (afterId) {
    asked.push(afterId)
    yield line(11, 'x')
  })
  for (const headers of [{}, { 'last-event-id': '10' }, { 'last-event-id': '' }]) {
    await open(headers as Record<string, string>).opened
  }
  expect(asked).toEqual([null, 10, null])
  for (const id of ['-1', 'x', '1.5', '99999999999999999']) {
    expect(await open({ 'last-event-id': id }).opened).toMatchObject({ status: 400 })
  }
})

test('a stream starts with the number of lines in its query, and answers 400 for an invalid one', async () => {
  const asked: (number | undefined)[] = []
  server.rig.logs.follow = async function* (_id, _afterId, _signal, newest) {
    asked.push(newest)
    yield line(11, 'x')
  }
  const plain = path
  for (const query of ['', '?lines=1000']) {
    path = `${plain}${query}`
    await open().opened
  }
  expect(asked).toEqual([50, 1000])
  for (const query of ['?lines=0', '?lines=10001', '?lines=x', '?tail=5']) {
    path = `${plain}${query}`
    expect(await open().opened).toMatchObject({ status: 400 })
  }
})

test('a stream of an unknown environment answers 404', async () => {
  path = '/environments/999/logs/stream'
  expect(await open().opened).toMatchObject({ status: 404 })
})

test('an idle stream sends a keep-alive comment every 15 seconds', async () => {
  followWith(async function* (_afterId, signal) {
    yield line(0, 'quiet from now on')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const stream = open()
  await stream.opened
  expect(await eventually(() => stream.text().includes('quiet'), 5000)).toBe(true)
  const { clock } = server.rig
  await clock.advance(14_999)
  expect(stream.text()).not.toContain(': keep-alive')
  await clock.advance(1)
  expect(await eventually(() => stream.text().endsWith(': keep-alive\n\n'), 5000)).toBe(true)
  await clock.advance(15_000)
  expect(await eventually(() => stream.text().split('keep-alive').length === 3, 5000)).toBe(true)
  stream.leave()
})

test('a failing source ends the stream with an error event, which hides internal errors', async () => {
  followWith(async function* () {
    yield line(0, 'x')
    throw new DaemonError('transient', 'you read too slowly')
  })
  const slow = open()
  expect(await eventually(slow.isOver, 5000)).toBe(true)
  expect(slow.text()).toContain('event: error\ndata: {"error":"you read too slowly"}\n\n')
  followWith(async function* () {
    yield line(0, 'x')
    throw new Error('the path /srv/data is gone')
  })
  const crashed = open()
  expect(await eventually(crashed.isOver, 5000)).toBe(true)
  expect(crashed.text()).toContain('event: error\ndata: {"error":"internal error"}\n\n')
  expect(server.logged.filter(({ level }) => level === 'error')).toHaveLength(1)
})

test('the source stops if the reader disconnects', async () => {
  let isStopped = false
  followWith(async function* (_afterId, signal) {
    yield line(0, 'x')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isStopped = true
    throw signal.reason
  })
  const stream = open()
  await stream.opened
  stream.leave()
  expect(await eventually(() => isStopped, 5000)).toBe(true)
  expect((await server.call('GET', '/health')).status).toBe(200)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('closing the server ends a stream without an `end` event', async () => {
  followWith(async function* (_afterId, signal) {
    yield line(0, 'x')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const stream = open()
  await stream.opened
  expect(await eventually(() => stream.text() !== '', 5000)).toBe(true)
  const closed = server.http.close(1000)
  await server.rig.clock.advance(1000)
  expect(await eventually(stream.isOver, 5000)).toBe(true)
  expect(stream.text()).not.toContain('event: end')
  await closed
})

test('a reader that stops reading pauses the source and is disconnected after 30 seconds', async () => {
  let pulled = 0
  let isStopped = false
  const big = 'x'.repeat(64 * 1024)
  followWith(async function* (_afterId, signal) {
    try {
      while (!signal.aborted) {
        pulled += 1
        yield line(pulled, big)
      }
    } finally {
      isStopped = true
    }
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(
    `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${masterToken}\r\n\r\n`,
  )
  let last = -1
  const isHeldBack = () => {
    const isSame = pulled > 0 && pulled === last
    last = pulled
    return isSame
  }
  expect(await eventually(isHeldBack, 10_000, 200)).toBe(true)
  // The kernel buffers a few megabytes; the server buffers one line.
  expect(pulled).toBeLessThan(2000)
  await server.rig.clock.advance(30_000)
  expect(await eventually(() => isStopped, 5000)).toBe(true)
  socket.destroy()
})

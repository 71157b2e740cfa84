import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { manualClock } from '../../test/support/daemon/http/clocks.ts'
import { masterToken, type Started, start } from '../../test/support/daemon/http/started.ts'
import { DaemonError } from '../errors.ts'
import type { LogLine } from '../ports.ts'

let server: Started
let path: string
const clock = manualClock()
beforeEach(async () => {
  server = await start({ clock })
  const { id } = server.addProject('shop')
  path = `/environments/${server.addEnvironment(id, 'main').id}/logs/stream`
})
afterEach(() => server.stop())

const line = (id: number, text: string): LogLine => ({
  id,
  ts: '2026-01-31T12:00:00.000Z',
  stream: 'stdout',
  line: text,
})

/** Opens the stream; `text()` is what has come so far. */
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

test('lines come as events with their ids, and the end says so', async () => {
  server.followWith(async function* () {
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

test('Last-Event-ID says where to go on; what is no id is 400', async () => {
  const asked: (number | null)[] = []
  server.followWith(async function* (afterId) {
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

test('an environment that is not there is 404 before any event', async () => {
  path = '/environments/999/logs/stream'
  expect(await open().opened).toMatchObject({ status: 404 })
})

test('a comment every 15 seconds keeps the connection', async () => {
  server.followWith(async function* (_afterId, signal) {
    yield line(0, 'quiet from now on')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const stream = open()
  await stream.opened
  expect(await eventually(() => stream.text().includes('quiet'), 5000)).toBe(true)
  clock.advance(14_999)
  expect(stream.text()).not.toContain(': keep-alive')
  clock.advance(1)
  expect(await eventually(() => stream.text().endsWith(': keep-alive\n\n'), 5000)).toBe(true)
  clock.advance(15_000)
  expect(await eventually(() => stream.text().split('keep-alive').length === 3, 5000)).toBe(true)
  stream.leave()
})

test('what goes wrong meanwhile is an error event; a crash is not shown', async () => {
  server.followWith(async function* () {
    yield line(0, 'x')
    throw new DaemonError('transient', 'you read too slowly')
  })
  const told = open()
  expect(await eventually(told.isOver, 5000)).toBe(true)
  expect(told.text()).toContain('event: error\ndata: {"error":"you read too slowly"}\n\n')
  server.followWith(async function* () {
    yield line(0, 'x')
    throw new Error('the path /srv/data is gone')
  })
  const crashed = open()
  expect(await eventually(crashed.isOver, 5000)).toBe(true)
  expect(crashed.text()).toContain('event: error\ndata: {"error":"internal error"}\n\n')
  expect(server.logged.filter(({ level }) => level === 'error')).toHaveLength(1)
})

test('a reader who leaves stops the source', async () => {
  let isStopped = false
  server.followWith(async function* (_afterId, signal) {
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

test('closing the server ends the stream without saying that it is over', async () => {
  server.followWith(async function* (_afterId, signal) {
    yield line(0, 'x')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const stream = open()
  await stream.opened
  expect(await eventually(() => stream.text() !== '', 5000)).toBe(true)
  const closed = server.http.close(1000)
  expect(await eventually(stream.isOver, 5000)).toBe(true)
  expect(stream.text()).not.toContain('event: end')
  await closed
})

test('who takes nothing holds back the source, and is cut off after half a minute', async () => {
  let pulled = 0
  let isStopped = false
  const big = 'x'.repeat(64 * 1024)
  server.followWith(async function* (_afterId, signal) {
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
  // The kernel's buffers hold some megabytes; ours a line.
  expect(pulled).toBeLessThan(2000)
  clock.advance(30_000)
  expect(await eventually(() => isStopped, 5000)).toBe(true)
  socket.destroy()
})

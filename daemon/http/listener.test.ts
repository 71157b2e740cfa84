import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import type { Logger } from '../ports.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

test('a sender that continues a refused body is disconnected after two seconds', async () => {
  let response = ''
  let isClosed = false
  const socket = connect(server.port, '127.0.0.1')
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => undefined)
  socket.write(
    'POST /api/v1/backup/restore HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  )
  expect(await eventually(() => response.startsWith('HTTP/1.1 401'), 5000)).toBe(true)
  expect(isClosed).toBe(false)
  const sendMore = async () => {
    socket.write('5\r\nagain\r\n')
    await server.rig.clock.advance(500)
    return isClosed
  }
  expect(await eventually(sendMore, 5000)).toBe(true)
})

test('a connection stays open if its refused body ends', async () => {
  let response = ''
  const socket = connect(server.port, '127.0.0.1')
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.write('POST /api/v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234')
  expect(await eventually(() => response.startsWith('HTTP/1.1 401'), 5000)).toBe(true)
  socket.write('56789GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await eventually(() => response.includes('HTTP/1.1 200'), 5000)).toBe(true)
  await server.rig.clock.advance(10_000)
  socket.write('GET /api/v1/stats HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await eventually(() => response.split('HTTP/1.1 401').length === 3, 5000)).toBe(true)
  socket.destroy()
})

test('a connection that does not finish its headers is closed after 15 seconds', async () => {
  const opened = Date.now()
  const closedAfter = (start: string, more: string) =>
    new Promise<number>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(start))
      const timer = setInterval(() => socket.writable && socket.write(more), 1_000)
      const giveUp = setTimeout(() => socket.destroy(), 25_000)
      socket.resume()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(timer)
        clearTimeout(giveUp)
        resolve(Date.now() - opened)
      })
    })
  const times = await Promise.all([
    closedAfter('GET /api/v1/health HTTP/1.1\r\nHost: a\r\n', 'X-A: b\r\n'),
    closedAfter('GET /api/v1/hea', 'a'),
    closedAfter('\r\n', '\r\n'),
  ])
  for (const ms of times) {
    expect(ms).toBeGreaterThan(14_000)
    expect(ms).toBeLessThan(20_000)
  }
})

test('a pino logger fits the logger interface and writes one JSON line per call', async () => {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger: Logger = pino({}, sink)
  logger.info({ requestId: 'r-1', path: '/api/v1/projects' }, 'request')
  logger.error({ err: new Error('broken') }, 'request failed')
  expect(lines[0]).toMatchObject({ level: 30, requestId: 'r-1', msg: 'request' })
  expect(lines[1]).toMatchObject({
    level: 50,
    err: { message: 'broken', stack: expect.any(String) },
  })
})

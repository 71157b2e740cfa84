import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  host,
  routeTo,
  type Started,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { exchangeRaw, visit } from '../../test/support/daemon/gateway/visit.ts'

let started: Started
let port: number

beforeAll(async () => {
  started = await startGateway({ limits: { connections: 40, headerCount: 50 } })
  port = started.port
  const app = await startApp({
    setUp: `server.keepAliveTimeout = 60_000; let seen = 0; server.on('request', () => { seen += 1 })`,
  })
  await started.gateway.route(routeTo(app.port))
})
afterAll(async () => {
  endApps()
  await endGateways()
})
afterEach(async () => {
  // Checks that a rejected request does not affect the next request.
  const answer = await visit(port, '/after', { method: 'POST', body: 'mine' })
  expect(answer.json).toMatchObject({ url: '/after', body: 'mine' })
})

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x.localhost\r\n\r\n'

/** Request smuggling: bytes that different parsers split into one or two requests. */
const ambiguous: readonly (readonly [name: string, bytes: string])[] = [
  [
    'a length and chunks',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'chunks and a length',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'two lengths',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  ],
  [
    'a length with a sign',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: +5\r\n\r\n12345${smuggled}`,
  ],
  [
    'a list of lengths',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5, 5\r\n\r\n12345${smuggled}`,
  ],
  [
    'an unknown coding',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n${smuggled}`,
  ],
  [
    'chunked before another coding',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'another coding before chunked',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'two codings',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a space before the colon',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a folded header line',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'an invalid chunk size',
    `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n${smuggled}`,
  ],
  ['a bare line feed in the headers', `GET / HTTP/1.1\r\nHost: ${host}\nX: 1\r\r\n\r\n${smuggled}`],
  ['two hosts', `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other.localhost\r\n\r\n${smuggled}`],
  ['no host', `GET / HTTP/1.1\r\n\r\n${smuggled}`],
  ['a NUL in a header', `GET / HTTP/1.1\r\nHost: ${host}\r\nX: a\0b\r\n\r\n${smuggled}`],
  ['a line break in the path', `GET /\rX HTTP/1.1\r\nHost: ${host}\r\n\r\n${smuggled}`],
]

test.each(ambiguous)('the gateway rejects an ambiguous request: %s', async (_, bytes) => {
  const answer = await exchangeRaw(port, bytes, (text) => /"error"|smuggled/.test(text))
  expect(answer).toMatch(/^HTTP\/1\.1 (?:400|501) /)
  expect(answer).not.toContain('"url":"/smuggled"')
  expect(answer).not.toContain('"body":"GET')
})

test('the Connection header cannot remove Content-Length, Host or X-Forwarded-For', async () => {
  const answer = await visit(port, '/', {
    method: 'POST',
    body: 'four',
    headers: { connection: 'close, content-length, host, transfer-encoding, x-forwarded-for' },
  })
  expect(answer.json).toMatchObject({ body: 'four' })
  expect(answer.json.headers['x-forwarded-for']).toBe('127.0.0.1')
})

test('the gateway answers 431 to too large or too many headers', async () => {
  const large = await exchangeRaw(
    port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
  )
  expect(large).toMatch(/^HTTP\/1\.1 431 /)
  const many = Array.from({ length: 60 }, (_, i) => `X-${i}: 1\r\n`).join('')
  const answer = await exchangeRaw(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n${many}\r\n`, (text) =>
    text.includes('"error"'),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

test('a header of 12 kB passes through the gateway', async () => {
  const cookie = 'c'.repeat(12_000)
  const { json } = await visit(port, '/', { headers: { cookie } })
  expect(json.headers.cookie).toBe(cookie)
})

test('the gateway answers 400 to an invalid request target', async () => {
  for (const target of ['ftp://x/', 'x', '*', 'http:///']) {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(await exchangeRaw(port, bytes), target).toMatch(/^HTTP\/1\.1 400 /)
  }
})

test('the gateway answers 400 to malformed HTTP, and closes the connection of a CONNECT request', async () => {
  expect(await exchangeRaw(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"error"/s)
  expect(await exchangeRaw(port, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('')
  expect(await exchangeRaw(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
})

test('the gateway answers 400 to malformed HTTP after a valid request on the same connection', async () => {
  const good = `GET /good HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(good)
  expect(await eventually(() => answer.includes('"url":"/good"'), 5_000)).toBe(true)
  socket.write('hello\r\n\r\n')
  await once(socket, 'close')
  expect(answer).toMatch(/HTTP\/1\.1 400 /)
})

test('the gateway closes connections above its connection limit', async () => {
  await started.gateway.route(routeTo(null, { hostname: 'asleep.localhost', environmentId: 2 }))
  let closed = 0
  const sockets = Array.from({ length: 60 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => {
      closed += 1
    })
    socket.write('GET / HTTP/1.1\r\nHost: asleep.localhost\r\n\r\n')
    return socket
  })
  expect(await eventually(() => closed === 20, 5_000)).toBe(true)
  for (const socket of sockets) socket.destroy()
  expect(await eventually(() => closed === 60, 5_000)).toBe(true)
})

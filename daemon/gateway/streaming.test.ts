import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  host,
  routeTo,
  type Started,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { exchangeRaw, open, read, visit } from '../../test/support/daemon/gateway/visit.ts'
import { withDeadline } from '../async/with-deadline.ts'
import { systemClock } from '../clock.ts'

let started: Started
let gateway: Started['gateway']
let port: number

beforeAll(async () => {
  started = await startGateway({ limits: { bodyIdleMs: 2_000, headersMs: 500, answerMs: 3_000 } })
  ;({ gateway, port } = started)
})
afterEach(endApps)
afterAll(endGateways)

async function startRoutedApp(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp(options)
  await gateway.route(routeTo(app.port))
  return app
}

/** Source code of an app with a WebSocket server; contains the absolute path of the `ws` package. */
const sockets = `
  const { WebSocketServer } = require(${JSON.stringify(import.meta.resolve('ws').replace('file://', '').replace('wrapper.mjs', 'index.js'))})
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    socket.send('welcome to ' + request.headers.host)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    socket.on('close', () => say('closed'))
  })`

test('the gateway forwards server-sent events one by one', async () => {
  const app = await startRoutedApp({
    handler: `
      response.on('close', () => say('closed'))
      process.once('SIGUSR2', () => response.write('data: 1\\n\\n'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()`,
  })
  const sent = open(port, '/')
  sent.end()
  const [response] = await once(sent, 'response')
  app.process.kill('SIGUSR2')
  response.on('error', () => {})
  const [event] = await once(response, 'data')
  expect(String(event)).toBe('data: 1\n\n')
  sent.destroy()
  await app.awaitOutput('closed')
})

test('a body of 200 MiB streams through the gateway in both directions without buffering', async () => {
  await startRoutedApp({ handler: `request.pipe(response)` })
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const pieces = 200
  const before = residentMb(await started.pid())
  const sent = open(port, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  const taken = createHash('sha256')
  const answered = once(sent, 'response').then(async ([response]) => {
    let size = 0
    for await (const chunk of response) {
      taken.update(chunk)
      size += chunk.length
    }
    return size
  })
  const given = createHash('sha256')
  for (let i = 0; i < pieces; i += 1) {
    given.update(piece)
    if (!sent.write(piece)) await once(sent, 'drain')
  }
  sent.end()
  expect(await answered).toBe(pieces * piece.length)
  expect(taken.digest('hex')).toBe(given.digest('hex'))
  expect(residentMb(await started.pid()) - before).toBeLessThan(120)
})

test('a slow client causes back-pressure on the app', async () => {
  const app = await startRoutedApp({
    handler: `
      let sent = 0
      const piece = Buffer.alloc(64 * 1024)
      const more = () => {
        while (sent < 256 * 1024 * 1024) {
          sent += piece.length
          if (!response.write(piece)) { response.once('drain', more); return }
        }
        response.end(); say('all is sent')
      }
      process.once('SIGUSR2', () => say(sent < 64 * 1024 * 1024 ? 'it waits' : 'it was taken: ' + sent))
      more()`,
  })
  const sent = open(port, '/')
  sent.end()
  const [response] = await once(sent, 'response')
  response.pause()
  // Wait until the app's memory stops growing.
  let last = 0
  await eventually(() => {
    const before = last
    last = residentMb(app.pid)
    return Math.abs(last - before) < 1
  }, 5_000)
  app.process.kill('SIGUSR2')
  await app.awaitOutput('it waits')
  sent.destroy()
})

test('the gateway aborts the upstream request of a client that disconnects', async () => {
  const app = await startRoutedApp({
    handler: `say('asked'); response.on('close', () => say('closed'))`,
  })
  const waiting = open(port, '/')
  waiting.on('error', () => {})
  waiting.end()
  await app.awaitOutput('asked')
  waiting.destroy()
  await app.awaitOutput('closed')
})

test('the gateway aborts the upstream request of a client that disconnects during its body', async () => {
  const app = await startRoutedApp({
    handler: `request.on('data', () => say('some')); request.on('aborted', () => say('aborted'))`,
  })
  const sending = open(port, '/', { method: 'POST', headers: { 'content-length': '1000' } })
  sending.on('error', () => {})
  sending.write('some of it')
  await app.awaitOutput('some')
  sending.destroy()
  await app.awaitOutput('aborted')
})

test.each(['content-length: 100', 'transfer-encoding: chunked'])(
  'a truncated response (%s) is aborted for the client',
  async (framing) => {
    const chunked = framing.includes('chunked')
    await startRoutedApp({
      handler: `
      request.socket.write('HTTP/1.1 200 OK\\r\\n${framing}\\r\\n\\r\\n${chunked ? '4\\r\\nhalf\\r\\n' : 'half'}')
      setTimeout(() => request.socket.destroy(), 50)`,
    })
    const sent = open(port, '/')
    sent.end()
    const [response] = await once(sent, 'response')
    await expect(read(response)).rejects.toThrow('aborted')
  },
)

test('the client gets a response that the app sends before the end of the body', async () => {
  await startRoutedApp({
    handler: `response.writeHead(413); response.end('too large')`,
  })
  const sent = open(port, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  sent.on('error', () => {})
  sent.write('begun')
  const [response] = await once(sent, 'response')
  expect(await read(response)).toMatchObject({ status: 413, text: 'too large' })
  sent.end()
})

test('the gateway answers 502 without a retry if an app closes the connection without a response', async () => {
  await startRoutedApp({
    handler: `
      server.count = (server.count ?? 0) + 1
      if (request.url === '/count') response.end(String(server.count))
      else request.socket.destroy()`,
  })
  const answer = await visit(port, '/')
  expect(answer.status).toBe(502)
  expect(answer.json.error).toContain('before it answered')
  expect((await visit(port, '/count')).text).toBe('2')
})

test.each([
  ['malformed HTTP', 'hello\\r\\n\\r\\n'],
  [
    'both Content-Length and chunked',
    'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n',
  ],
  [
    'two Content-Length headers',
    'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\nabc',
  ],
])('a response with %s gives 502', async (_, bytes) => {
  await startRoutedApp({ handler: `request.socket.write('${bytes}')` })
  expect((await visit(port, '/')).status).toBe(502)
})

test.each([
  ['101', 'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\n'],
  ['101 without headers', 'HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n'],
  ['099', 'HTTP/1.1 099 Odd\\r\\nContent-Length: 0\\r\\n\\r\\n'],
])(
  'an app that answers a plain request with %s gives 502 and a closed connection',
  async (_, bytes) => {
    const before = await started.pid()
    await startRoutedApp({ handler: `request.socket.write('${bytes}')` })
    for (const request of ['GET / HTTP/1.1', 'POST / HTTP/1.1\r\nContent-Length: 2']) {
      const body = request.startsWith('POST') ? 'ok' : ''
      const answer = await inTime(exchangeRaw(port, `${request}\r\nHost: ${host}\r\n\r\n${body}`))
      expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*malformed HTTP/s)
    }
    expect(await started.pid()).toBe(before)
  },
)

test.each([
  ['101 without headers', 'HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n'],
  ['099', 'HTTP/1.1 099 Odd\\r\\nContent-Length: 0\\r\\n\\r\\n'],
])(
  'an app that answers a WebSocket handshake with %s gives 502 and a closed connection',
  async (_, bytes) => {
    await startRoutedApp({
      setUp: `server.on('upgrade', (request, socket) => socket.write('${bytes}'))`,
    })
    const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const answer = await inTime(
      exchangeRaw(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n${offer}\r\n`),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*malformed HTTP/s)
  },
)

test('bytes that an app sends after its response never reach another client', async () => {
  await startRoutedApp({
    handler: `
      if (request.url === '/1') request.socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nokHTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nevil')
      else response.end('fine')`,
  })
  expect((await visit(port, '/1')).text).toBe('ok')
  expect((await visit(port, '/2')).text).toBe('fine')
})

test('the gateway answers 504 if an app does not respond in time', async () => {
  await startRoutedApp({ handler: '' })
  expect((await visit(port, '/')).status).toBe(504)
})

test('a stalled request body gets 408, unless the app has started its response', async () => {
  await startRoutedApp({
    handler: `
      if (request.url === '/talk') { response.write('listening '); request.on('data', (chunk) => response.write(chunk)); request.on('end', () => response.end()) }
      else request.on('end', () => response.end('whole')).resume()`,
  })
  const slow = open(port, '/', { method: 'POST', headers: { 'content-length': '10' } })
  slow.on('error', () => {})
  slow.write('12345')
  const refused = once(slow, 'response')
  const talk = open(port, '/talk', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  talk.write('one ')
  const [talked] = await once(talk, 'response')
  const [response] = await refused
  expect(response.statusCode).toBe(408)
  expect(response.headers.connection).toBe('close')
  talk.end('two')
  expect((await read(talked)).text).toBe('listening one two')
})

test('incomplete request headers get 408 after headersMs', async () => {
  const answer = await exchangeRaw(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('the gateway forwards WebSocket messages in both directions', async () => {
  const app = await startRoutedApp({ setUp: sockets })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/chat?room=1`, { headers: { host } })
  const [welcome] = await once(socket, 'message')
  expect(String(welcome)).toBe(`welcome to ${host}`)
  const large = Buffer.alloc(3 * 1024 * 1024, 'y')
  socket.send(large)
  const [echo] = await once(socket, 'message')
  expect(echo.equals(large)).toBe(true)
  socket.close()
  await app.awaitOutput('closed')
})

test('a WebSocket closes on both sides if one side disconnects', async () => {
  const app = await startRoutedApp({ setUp: sockets })
  const first = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } })
  await once(first, 'message')
  first.terminate()
  await app.awaitOutput('closed')
  const second = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } })
  await once(second, 'message')
  const [[code]] = await Promise.all([once(second, 'close'), app.kill()])
  expect(code).toBe(1006)
})

test('the client gets the response of an app that rejects a WebSocket', async () => {
  await startRoutedApp({
    setUp: `server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 403 Forbidden\\r\\nContent-Length: 2\\r\\nX-App: yes\\r\\n\\r\\nno'))`,
  })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  expect(await read(response)).toMatchObject({ status: 403, text: 'no' })
  expect(response.headers['x-app']).toBe('yes')
})

test('a WebSocket to an unknown host gets 404', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: 'no.localhost' } })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  expect((await read(response)).status).toBe(404)
})

test('the gateway serves a request that offers HTTP/2 as HTTP/1.1, with its body', async () => {
  await startRoutedApp()
  const offer =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  const answer = await exchangeRaw(
    port,
    `POST /1 HTTP/1.1\r\nHost: ${host}\r\n${offer}Content-Length: 4\r\n\r\nbody` +
      `GET /2 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toContain('"url":"/1"')
  expect(answer).toContain('"body":"body"')
  expect(answer).toContain('"url":"/2"')
  expect(answer).not.toMatch(/h2c|http2-settings/i)
})

test('a WebSocket upgrade with a body gets 400', async () => {
  await startRoutedApp({ setUp: sockets })
  const answer = await exchangeRaw(
    port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 40\r\n\r\nGET /admin HTTP/1.1\r\nHost: x.localhost\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('the gateway treats a half-closed client connection as a disconnect', async () => {
  const app = await startRoutedApp({
    handler: `say('asked'); response.on('close', () => say('closed'))`,
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await app.awaitOutput('asked')
  socket.end()
  await app.awaitOutput('closed')
})

/** Returns `'late'` if the answer takes longer than 2 s. */
function inTime(answer: Promise<string>): Promise<string> {
  return withDeadline(answer, { clock: systemClock, ms: 2_000 })
}

function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

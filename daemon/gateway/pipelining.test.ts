import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
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
import { visit } from '../../test/support/daemon/gateway/visit.ts'

let started: Started
let gateway: Started['gateway']
let port: number

beforeAll(async () => {
  started = await startGateway({ limits: { openPerApp: 20 } })
  ;({ gateway, port } = started)
})
afterEach(endApps)
afterAll(endGateways)

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`

/** Sends requests in one write, and returns their connection when the app has received the first request. */
async function pipeline(
  app: Awaited<ReturnType<typeof startApp>>,
  requests: readonly string[],
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(requests.join(''))
  await app.awaitOutput('asked')
  return socket
}

test('pipelined requests no longer count as open after a disconnect', async () => {
  const app = await startApp({
    handler: `if (request.url === '/hang') say('asked'); else response.end('fine')`,
  })
  let reportedAt = 0
  gateway.onAccess(() => {
    reportedAt = Date.now()
  })
  await gateway.route(routeTo(app.port))
  const sockets = await Promise.all([1, 2].map(() => pipeline(app, Array(15).fill(get('/hang')))))
  expect((await visit(port)).status).toBe(503)
  for (const socket of sockets) socket.destroy()
  expect(await eventually(async () => (await visit(port)).text === 'fine', 5_000)).toBe(true)
  // The gateway reports an access each second while a request is open.
  const isIdle = () => Date.now() - reportedAt > 2_500
  expect(await eventually(isIdle, 15_000)).toBe(true)
})

test('pipelined requests are answered in order', async () => {
  const app = await startApp({
    handler: `setTimeout(() => response.end(request.url), request.url === '/1' ? 200 : 0); say('asked')`,
  })
  await gateway.route(routeTo(app.port))
  const socket = await pipeline(app, [get('/1'), get('/2'), get('/3', 'Connection: close\r\n')])
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  expect(answer.match(/^\/\d/gm)).toEqual(['/1', '/2', '/3'])
})

/** Answers plain requests after 200 ms, accepts WebSockets, and echoes their data. */
const slowAndUpgrading = {
  handler: `setTimeout(() => response.end(request.url), 200); say('asked')`,
  setUp: `server.on('upgrade', (request, socket, head) => {
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n')
    socket.write(head)
    socket.pipe(socket)
  })`,
}

test('a pipelined upgrade to WebSocket is answered after the preceding requests', async () => {
  const app = await startApp(slowAndUpgrading)
  await gateway.route(routeTo(app.port))
  const upgrade = get('/socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
  const socket = await pipeline(app, [get('/1'), get('/2'), upgrade, 'early '])
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  expect(await eventually(() => answer.includes('early '), 5_000)).toBe(true)
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\/1.*HTTP\/1\.1 200 .*\/2.*HTTP\/1\.1 101 /s)
  socket.write('late')
  expect(await eventually(() => answer.includes('early late'), 5_000)).toBe(true)
  socket.destroy()
})

test('a pipelined request that offers HTTP/2 is answered after the preceding request', async () => {
  const app = await startApp(slowAndUpgrading)
  await gateway.route(routeTo(app.port))
  const offer = get('/2', 'Connection: Upgrade\r\nUpgrade: h2c\r\n')
  const socket = await pipeline(app, [get('/1'), offer, get('/3', 'Connection: close\r\n')])
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  expect(answer.match(/^\/\d/gm)).toEqual(['/1', '/2', '/3'])
})

test('a client may disconnect while its pipelined upgrade waits', async () => {
  const app = await startApp(slowAndUpgrading)
  await gateway.route(routeTo(app.port))
  const pid = await started.pid()
  const upgrade = get('/socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
  const socket = await pipeline(app, [get('/1'), upgrade])
  socket.destroy()
  expect((await visit(port, '/next')).text).toBe('/next')
  expect(await started.pid()).toBe(pid)
})

import { once } from 'node:events'
import { Agent } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  routeTo,
  type Started,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { open, read, visit } from '../../test/support/daemon/gateway/visit.ts'

let started: Started
let gateway: Started['gateway']
let port: number

beforeEach(async () => {
  started = await startGateway()
  ;({ gateway, port } = started)
})
afterEach(async () => {
  endApps()
  await endGateways()
})

test('no request fails during five switches between app versions', async () => {
  let app = await startApp({ name: '0' })
  await gateway.route(routeTo(app.port))
  const failures: unknown[] = []
  let served = 0
  let isOver = false
  const agent = new Agent({ keepAlive: true })
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    while (!isOver) {
      const options =
        caller % 2 === 0 ? { method: 'POST', body: 'x'.repeat(100 * caller), agent } : {}
      try {
        const answer = await visit(port, '/', options)
        served += 1
        if (answer.status !== 200) failures.push(answer)
      } catch (error) {
        failures.push(error)
      }
    }
  })
  for (let version = 1; version <= 5; version += 1) {
    const next = await startApp({ name: String(version) })
    await gateway.route(routeTo(next.port, { environmentId: version }))
    expect((await visit(port)).json.name).toBe(String(version))
    await gateway.drained({ host: '127.0.0.1', port: app.port }, 10_000)
    await app.kill()
    app = next
  }
  isOver = true
  await Promise.all(callers)
  agent.destroy()
  expect(failures).toEqual([])
  expect(served).toBeGreaterThan(20)
})

test('the old version answers a request that was in flight during a switch', async () => {
  const old = await startApp({
    handler: `say('asked'); process.once('SIGUSR2', () => response.end('old'))`,
  })
  await gateway.route(routeTo(old.port))
  const slow = open(port, '/')
  slow.end()
  await old.awaitOutput('asked')
  const next = await startApp({ handler: `response.end('new')` })
  await gateway.route(routeTo(next.port))
  expect((await visit(port)).text).toBe('new')

  let isDrained = false
  const drained = gateway.drained({ host: '127.0.0.1', port: old.port }, 20_000).then(() => {
    isDrained = true
  })
  await visit(port)
  expect(isDrained).toBe(false)
  old.process.kill('SIGUSR2')
  const [response] = await once(slow, 'response')
  expect((await read(response)).text).toBe('old')
  await drained
})

test('the gateway stops waiting for open requests of a port after the timeout, although a stream is open', async () => {
  const old = await startApp({ handler: `response.write('begun')` })
  await gateway.route(routeTo(old.port))
  const stream = open(port, '/')
  stream.end()
  const [response] = await once(stream, 'response')
  response.on('error', () => {})
  const next = await startApp()
  await gateway.route(routeTo(next.port))
  await gateway.drained({ host: '127.0.0.1', port: old.port }, 300)
  expect(response.destroyed).toBe(false)
  stream.destroy()
  await gateway.drained({ host: '127.0.0.1', port: old.port }, 20_000)
})

test('the gateway has no open connection to a drained port', async () => {
  const old = await startApp({
    setUp: `server.keepAliveTimeout = 60_000; let open = 0; server.on('connection', (socket) => { open += 1; socket.on('close', () => { open -= 1; if (open === 0) say('alone') }) })`,
  })
  await gateway.route(routeTo(old.port))
  await Promise.all([visit(port), visit(port)])
  const next = await startApp()
  await gateway.route(routeTo(next.port))
  await gateway.drained({ host: '127.0.0.1', port: old.port }, 5_000)
  await old.awaitOutput('alone')
})

test('the gateway retries an idempotent request if the app closes a reused connection', async () => {
  const app = await startApp({
    // Resets each connection at its second request.
    setUp: `
      let resets = 0
      server.on('connection', (socket) => { let count = 0; socket.prependListener('data', () => { count += 1; if (count === 2) { resets += 1; socket.resetAndDestroy() } }) })`,
    handler: `response.end(String(resets))`,
  })
  await gateway.route(routeTo(app.port))
  for (const method of ['GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'GET']) {
    expect((await visit(port, '/', { method })).status).toBe(200)
  }
  expect(Number((await visit(port)).text)).toBeGreaterThan(1)
})

test('the gateway never retries a POST', async () => {
  const app = await startApp({
    setUp: `
      let count = 0
      server.on('connection', (socket) => { let seen = 0; socket.prependListener('data', (data) => { seen += 1; if (String(data).startsWith('POST')) count += 1; if (seen === 2) socket.resetAndDestroy() }) })`,
    handler: `response.end(String(count))`,
  })
  await gateway.route(routeTo(app.port))
  let sent = 0
  let status = 200
  // On a slow machine the idle connection may expire, so that the POST uses a new connection: try again.
  for (; status === 200 && sent < 10; sent += 1) {
    await visit(port)
    status = (await visit(port, '/', { method: 'POST', body: 'pay' })).status
  }
  expect(status).toBe(502)
  expect((await visit(port)).text).toBe(String(sent))
})

test('the gateway reports access times, repeatedly while a stream is open', async () => {
  const app = await startApp({
    handler: `if (request.url === '/stream') response.write('begun'); else response.end()`,
  })
  const reported: [number, number][] = []
  gateway.onAccess((accesses) => reported.push(...accesses))
  await gateway.route(routeTo(app.port))
  await gateway.route(routeTo(app.port, { hostname: 'quiet.localhost', environmentId: 2 }))
  const before = Date.now()
  await visit(port)
  expect(await eventually(() => reported.length > 0, 5_000)).toBe(true)
  expect(reported[0]?.[0]).toBe(1)
  expect(reported[0]?.[1]).toBeGreaterThanOrEqual(before)

  const stream = open(port, '/stream')
  stream.end()
  const [response] = await once(stream, 'response')
  response.on('error', () => {})
  const from = Date.now()
  expect(
    await eventually(() => reported.filter(([, time]) => time > from).length >= 2, 8_000),
  ).toBe(true)
  stream.destroy()
  expect(reported.every(([id]) => id === 1)).toBe(true)
})

test('replacing the routes sets 10,000 routes at once and removes the previous ones', async () => {
  const app = await startApp()
  const routes = Array.from({ length: 10_000 }, (_, i) =>
    routeTo(app.port, { hostname: `branch-${i}--shop.localhost`, environmentId: i + 1 }),
  )
  await gateway.replace(routes)
  const last = { headers: { host: 'branch-9999--shop.localhost' } }
  expect((await visit(port, '/', last)).status).toBe(200)
  await gateway.replace(routes.slice(0, 10))
  expect((await visit(port, '/', last)).status).toBe(404)
})

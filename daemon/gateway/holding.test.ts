import { once } from 'node:events'
import { Agent } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
import { open, read, visit } from '../../test/support/daemon/gateway/visit.ts'
import type { Route } from '../ports.ts'

let started: Started
let gateway: Started['gateway']
let port: number
/** Ids of environments for which the gateway requested a wake. */
let wakes: number[]
let answerWake: (route: Route) => void
let refuseWake: (reason: Error) => void

beforeEach(async () => {
  started = await startGateway({ limits: { heldPerEnvironment: 600, held: 700 } })
  ;({ gateway, port } = started)
  wakes = []
  gateway.onWake((environmentId) => {
    wakes.push(environmentId)
    return new Promise((resolve, reject) => {
      answerWake = resolve
      refuseWake = reject
    })
  })
  await gateway.route(routeTo(null))
})
afterEach(async () => {
  endApps()
  await endGateways()
})

const wakeRequested = () => eventually(() => wakes.length > 0, 5_000, 5)

test('the gateway holds a request to a sleeping app until the app answers it', async () => {
  const held = visit(port, '/first', { method: 'POST', body: 'kept' })
  await wakeRequested()
  const app = await startApp()
  answerWake(routeTo(app.port))
  expect(await held).toMatchObject({ status: 200, json: { url: '/first', body: 'kept' } })
  expect(wakes).toEqual([1])
})

test('500 concurrent requests to a sleeping app cause one wake', async () => {
  const held = Array.from({ length: 500 }, (_, i) => visit(port, `/${i}`))
  await wakeRequested()
  const app = await startApp()
  answerWake(routeTo(app.port))
  const answers = await Promise.all(held)
  expect(answers.map(({ status, json }) => [status, json.url])).toEqual(
    answers.map((_, i) => [200, `/${i}`]),
  )
  expect(wakes).toEqual([1])
})

test('the gateway forwards every held request to the app exactly once', async () => {
  const held: Promise<unknown>[] = []
  for (let i = 0; i < 20; i += 1) {
    const sent = open(port, `/${i}`)
    held.push(once(sent, 'response').then(([response]) => read(response)))
    sent.end()
    // After this request the gateway holds the previous one.
    await once(sent, 'finish')
    await visit(port, '/', { headers: { host: 'nobody.localhost' } })
  }
  const app = await startApp({
    setUp: `const seen = []; server.on('connection', () => {}); server.prependListener('request', (request) => seen.push(request.url))`,
    handler: `response.end(JSON.stringify(seen))`,
  })
  answerWake(routeTo(app.port))
  await Promise.all(held)
  const { json } = await visit(port, '/last')
  expect([...json].sort()).toEqual(
    [...Array.from({ length: 20 }, (_, i) => `/${i}`), '/last'].sort(),
  )
})

test('a new route releases the requests held for its host', async () => {
  const held = visit(port, '/')
  await wakeRequested()
  const app = await startApp()
  await gateway.route(routeTo(app.port, { environmentId: 2 }))
  expect((await held).status).toBe(200)
})

test('the gateway holds a WebSocket to a sleeping app', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } })
  const welcome = once(socket, 'message')
  await wakeRequested()
  const ws = JSON.stringify(
    import.meta.resolve('ws').replace('file://', '').replace('wrapper.mjs', 'index.js'),
  )
  const app = await startApp({
    setUp: `new (require(${ws}).WebSocketServer)({ server }).on('connection', (socket) => socket.send('awake'))`,
  })
  answerWake(routeTo(app.port))
  expect(String((await welcome)[0])).toBe('awake')
  socket.terminate()
})

test('the gateway reads the body of a held request only after the app is awake', async () => {
  const sent = open(port, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  const answer = once(sent, 'response').then(([response]) => read(response))
  const piece = Buffer.alloc(256 * 1024)
  let taken = 0
  while (sent.write(piece) || taken < 64) {
    taken += 1
    if (taken > 400) break
  }
  await wakeRequested()
  // The socket buffers are full, so that the client has to wait.
  expect(sent.writableLength).toBeGreaterThan(0)
  const app = await startApp({
    handler: `let size = 0; request.on('data', (chunk) => { size += chunk.length }); request.on('end', () => response.end(String(size)))`,
  })
  sent.end()
  answerWake(routeTo(app.port))
  expect(Number((await answer).text)).toBe((taken + 1) * piece.length)
})

test('a held request gets 503 with Retry-After at the end of the wake budget', async () => {
  await gateway.route(routeTo(null, { wakeBudgetMs: 200 }))
  const answer = await visit(port, '/')
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect(answer.json.error).toContain('not started in time')
  expect(wakes).toEqual([1])
})

test('a held request gets 503 if the wake fails, and the next request causes a new wake', async () => {
  const held = visit(port, '/')
  await wakeRequested()
  refuseWake(new Error('it ended with 7, and its secret is 42'))
  const answer = await held
  expect(answer.status).toBe(503)
  expect(answer.text).not.toContain('42')
  const again = visit(port, '/')
  expect(await eventually(() => wakes.length === 2, 5_000)).toBe(true)
  refuseWake(new Error('again'))
  await again
})

test('requests above the holding limit get 503, until held clients disconnect', async () => {
  const agent = new Agent({ maxSockets: 1_000 })
  const held = Array.from({ length: 600 }, () => open(port, '/', { agent }))
  for (const sent of held) {
    sent.on('error', () => {})
    sent.end()
  }
  const isFull = async () => {
    const late = open(port, '/')
    late.on('error', () => {})
    late.end()
    const answer = await Promise.race([once(late, 'response'), wait(300)])
    late.destroy()
    return answer?.[0].statusCode === 503
  }
  expect(await eventually(isFull, 10_000)).toBe(true)
  for (const sent of held) sent.destroy()
  expect(await eventually(async () => !(await isFull()), 10_000)).toBe(true)
  expect(wakes).toEqual([1])
  agent.destroy()
})

test('projects with hung apps cannot keep a sleeping app of another project from waking', async () => {
  const small = await startGateway({ limits: { held: 40, heldPerEnvironment: 20 } })
  const app = await startApp()
  small.gateway.onWake((environmentId) =>
    environmentId === 9 ? Promise.resolve(tenant(app.port)) : new Promise(() => {}),
  )
  for (const id of [1, 2, 3, 4]) {
    const projectId = id <= 2 ? 1 : 2
    const hostname = `hung-${id}.localhost`
    await small.gateway.route(routeTo(null, { hostname, environmentId: id, projectId }))
  }
  await small.gateway.route(tenant(null))
  let refused = 0
  const hung = [1, 2, 3, 4].flatMap((id) =>
    Array.from({ length: 15 }, () => {
      const sent = open(small.port, '/', { headers: { host: `hung-${id}.localhost` } })
      sent.on('error', () => {})
      sent.on('response', (response) => {
        if (response.resume().statusCode === 503) refused += 1
      })
      sent.end()
      return sent
    }),
  )
  expect(await eventually(() => refused === 20, 10_000)).toBe(true)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      visit(small.port, '/', { headers: { host: 'tenant.localhost' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  // Each request of the project displaced at most one other request.
  expect(refused).toBeLessThanOrEqual(25)
  for (const sent of hung) sent.destroy()
})

test('a held request gets 404 if its route is removed', async () => {
  const held = visit(port, '/')
  await wakeRequested()
  await gateway.unroute(host)
  expect((await held).status).toBe(404)
})

test('the gateway holds requests to an app that refuses connections', async () => {
  const first = await startApp()
  await gateway.route(routeTo(first.port))
  expect((await visit(port, '/')).status).toBe(200)
  await first.kill()
  const held = [visit(port, '/1', { method: 'POST', body: 'kept' }), visit(port, '/2')]
  await wakeRequested()
  const second = await startApp({ name: 'second' })
  answerWake(routeTo(second.port))
  for (const answer of await Promise.all(held)) expect(answer.json.name).toBe('second')
  expect(wakes).toEqual([1])
})

test('the gateway requests further wakes for an app that keeps refusing connections', async () => {
  const first = await startApp()
  await first.kill()
  await gateway.route(routeTo(first.port, { wakeBudgetMs: 10_000 }))
  const held = visit(port, '/')
  for (let turn = 1; turn <= 5; turn += 1) {
    expect(await eventually(() => wakes.length === turn, 5_000, 5)).toBe(true)
    answerWake(routeTo(first.port, { wakeBudgetMs: 10_000 }))
  }
  expect(await eventually(() => wakes.length === 6, 5_000, 5)).toBe(true)
  const second = await startApp({ name: 'second' })
  answerWake(routeTo(second.port))
  expect((await held).json.name).toBe('second')
})

function tenant(port: number | null): Route {
  return routeTo(port, { hostname: 'tenant.localhost', environmentId: 9, projectId: 3 })
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined))
}

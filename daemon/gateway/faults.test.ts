import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  gatewayAt,
  host,
  newPlace,
  type Place,
  routeTo,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { open, read, visit } from '../../test/support/daemon/gateway/visit.ts'
import type { Route } from '../ports.ts'

afterEach(async () => {
  endApps()
  await endGateways()
})

/** Starts a daemon in its own process. */
async function startDaemon(place: Place, routes: readonly Route[]): Promise<ChildProcess> {
  const program = fileURLToPath(
    new URL('../../test/support/daemon/gateway/daemon-program.ts', import.meta.url),
  )
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, place.folder, String(place.port), JSON.stringify(routes)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout ?? child, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('the gateway serves running apps after the daemon is killed, and the next daemon reuses it', async () => {
  const place = await newPlace()
  const app = await startApp()
  const daemon = await startDaemon(place, [routeTo(app.port)])
  const next = gatewayAt(place)
  const pid = await next.pid()
  expect((await visit(place.port)).status).toBe(200)
  await kill(daemon)
  const before = Date.now()
  expect((await visit(place.port)).status).toBe(200)

  const accesses = new Map<number, number>()
  next.gateway.onAccess((some) => {
    for (const [id, time] of some) accesses.set(id, time)
  })
  await next.gateway.start()
  expect(await next.pid()).toBe(pid)
  expect(await eventually(() => (accesses.get(1) ?? 0) >= before, 5_000)).toBe(true)
})

test('the next daemon wakes the app of a request held when the daemon was killed', async () => {
  const place = await newPlace()
  const daemon = await startDaemon(place, [routeTo(null)])
  const held = visit(place.port)
  // After this request the gateway holds the first one.
  await visit(place.port, '/', { headers: { host: 'nobody.localhost' } })
  await kill(daemon)
  const app = await startApp()
  const next = gatewayAt(place)
  next.gateway.onWake(async () => routeTo(app.port))
  await next.gateway.start()
  expect((await held).status).toBe(200)
})

test('the gateway answers 503 for a sleeping app if no daemon is connected', async () => {
  const started = await startGateway({ limits: { daemonAbsentMs: 100 } })
  await started.gateway.route(routeTo(null))
  started.gateway.close()
  const answer = await awaitStatus(started.port, 503)
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect(answer.json.error).toContain('can not be started now')
})

test('the gateway serves a restarted app again although no daemon is connected', async () => {
  const started = await startGateway({ limits: { daemonAbsentMs: 100 } })
  const app = await startApp()
  await started.gateway.route(routeTo(app.port))
  await app.kill()
  started.gateway.close()
  await awaitStatus(started.port, 503)
  await startApp({ port: app.port })
  await awaitStatus(started.port, 200)
})

test('the daemon restarts a killed gateway, which knows its routes', async () => {
  const started = await startGateway()
  const app = await startApp()
  await started.gateway.replace([routeTo(app.port)])
  const pid = await started.pid()
  process.kill(pid, 'SIGKILL')
  await awaitStatus(started.port, 200)
  expect(await started.pid()).not.toBe(pid)
})

test('the daemon replaces a gateway that receives SIGTERM, and the old gateway exits after its open requests', async () => {
  const started = await startGateway()
  const app = await startApp({ handler: `response.write('begun'); say('asked')` })
  await started.gateway.replace([routeTo(app.port)])
  const stream = open(started.port, '/')
  stream.end()
  const [response] = await once(stream, 'response')
  response.on('error', () => {})
  const pid = await started.pid()
  process.kill(pid, 'SIGTERM')
  expect(await eventually(async () => ![0, pid].includes(await started.pid()), 10_000)).toBe(true)
  expect(isAlive(pid)).toBe(true)
  stream.destroy()
  expect(await eventually(() => !isAlive(pid), 10_000)).toBe(true)
})

test('a restarted gateway uses a route that was set while no gateway ran', async () => {
  const started = await startGateway()
  const [first, second] = [await startApp({ name: 'first' }), await startApp({ name: 'second' })]
  await started.gateway.route(routeTo(first.port))
  process.kill(await started.pid(), 'SIGKILL')
  await started.gateway.route(routeTo(second.port))
  const currentName = async () => (await visit(started.port).catch(() => undefined))?.json?.name
  expect(await eventually(async () => (await currentName()) === 'second', 30_000)).toBe(true)
})

test('a new gateway serves the routes of its snapshot before the daemon sends routes', async () => {
  const place = await newPlace()
  const app = await startApp()
  const first = gatewayAt(place)
  await first.gateway.start()
  await first.gateway.replace([routeTo(app.port)])
  await awaitSnapshot(place.folder)
  const pid = await first.pid()
  first.gateway.close()
  process.kill(pid, 'SIGKILL')
  const second = gatewayAt(place)
  await second.gateway.start()
  expect((await visit(place.port)).status).toBe(200)
})

test('a gateway with a damaged snapshot starts without routes', async () => {
  const place = await newPlace()
  writeFileSync(join(place.folder, 'routes.json'), '{"routes":[{"hostname":')
  const { gateway } = gatewayAt(place)
  await gateway.start()
  expect((await visit(place.port)).status).toBe(404)
})

test('the daemon replaces a gateway of another version, which finishes its open requests', async () => {
  const place = await newPlace()
  const app = await startApp({
    handler: `if (request.url === '/slow') process.once('SIGUSR2', () => response.end('slow')); else response.end('quick'); say('asked')`,
  })
  const old = gatewayAt(place, { version: '1' })
  await old.gateway.start()
  await old.gateway.replace([routeTo(app.port)])
  await awaitSnapshot(place.folder)
  const pid = await old.pid()
  const slow = open(place.port, '/slow')
  slow.end()
  await app.awaitOutput('asked')
  old.gateway.close()
  const failures: unknown[] = []
  let isOver = false
  const traffic = (async () => {
    while (!isOver) {
      // No gateway listens for a moment during the replacement: retry, as a proxy does.
      await visit(place.port).catch((error) => {
        if (!/ECONNREFUSED|ECONNRESET/.test(error.code)) failures.push(error)
      })
    }
  })()

  const next = gatewayAt(place, { version: '2' })
  await next.gateway.start()
  expect(await next.pid()).not.toBe(pid)
  expect((await visit(place.port)).text).toBe('quick')
  isOver = true
  await traffic
  expect(failures).toEqual([])
  // The slow request completes after the old gateway is replaced.
  await next.gateway.replace([routeTo(app.port)])
  app.process.kill('SIGUSR2')
  const [response] = await once(slow, 'response')
  expect((await read(response)).text).toBe('slow')
  expect(await eventually(() => !isAlive(pid), 10_000)).toBe(true)
})

test('starting the gateway fails if another program listens on its address', async () => {
  const place = await newPlace()
  const other = createServer().listen(place.port, '127.0.0.1')
  await once(other, 'listening')
  const { gateway } = gatewayAt(place)
  await expect(gateway.start()).rejects.toThrow(
    `the gateway can't listen on 127.0.0.1:${place.port}: another program listens there`,
  )
  other.close()
})

test('starting the gateway fails if its program exits', async () => {
  const place = await newPlace()
  const { gateway } = gatewayAt(place, { argv: [process.execPath, '-e', 'process.exit(3)'] })
  await expect(gateway.start()).rejects.toThrow('exited during its start')
})

test("only the gateway's user can access its control socket", async () => {
  const { folder } = await startGateway()
  expect(statSync(join(folder, 'gateway.sock')).mode & 0o777).toBe(0o600)
})

test('the gateway works in a data folder whose path is too long for a socket', async () => {
  const place = await newPlace()
  const folder = join(place.folder, 'long'.repeat(30))
  mkdirSync(folder)
  const { gateway } = gatewayAt({ ...place, folder })
  const app = await startApp()
  await gateway.start()
  await gateway.route(routeTo(app.port))
  expect((await visit(place.port)).status).toBe(200)
  await gateway.retire()
})

test('a retired gateway exits after retireMs although a WebSocket is open', async () => {
  const started = await startGateway({ limits: { retireMs: 500 } })
  const app = await startApp({
    setUp: `server.on('upgrade', (request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n'))`,
  })
  await started.gateway.route(routeTo(app.port))
  const socket = new WebSocket(`ws://127.0.0.1:${started.port}/`, { headers: { host } })
  socket.on('error', () => {})
  await once(socket, 'upgrade').catch(() => {})
  const pid = await started.pid()
  await started.gateway.retire()
  expect(await eventually(() => !isAlive(pid), 5_000)).toBe(true)
})

async function awaitStatus(port: number, status: number) {
  let answer = await visit(port).catch(() => undefined)
  await eventually(async () => {
    answer = await visit(port).catch(() => undefined)
    return answer?.status === status
  }, 15_000)
  if (answer?.status !== status) throw new Error(`expected status ${status}, got ${answer?.status}`)
  return answer
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until the route snapshot contains the host, so that the next gateway knows it. */
async function awaitSnapshot(folder: string): Promise<void> {
  const hasRoute = () => {
    try {
      return readFileSync(join(folder, 'routes.json'), 'utf8').includes(host)
    } catch {
      return false
    }
  }
  expect(await eventually(hasRoute, 50_000)).toBe(true)
}

import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/support/apps/eventually.ts'
import {
  isRunning,
  processesIn,
  programs,
  temporaryPlace,
} from '../../../test/support/daemon/runtime/apps.ts'
import { redacted } from '../../domain/redacted.ts'

let place: ReturnType<typeof temporaryPlace>
beforeEach(() => {
  place = temporaryPlace()
})
afterEach(() => place.remove())

const never = new AbortController().signal
const health = { path: null, timeoutMs: 20_000 }
const seconds = 20_000

async function answerOf(port: number, path = '/') {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return response.json() as Promise<{ pid: number; env: Record<string, string>; folder: string }>
}

/** Returns the pids that the `family` program prints. */
async function familyPids(logs: ReturnType<typeof place.open>['logs'], environmentId: number) {
  expect(
    await eventually(async () => (await logs.tail(environmentId, 1)).length > 0, seconds),
  ).toBe(true)
  const [line] = await logs.tail(environmentId, 1)
  return JSON.parse(line?.line ?? '[]') as number[]
}

describe('an app of the process runtime', () => {
  test('runs in its release, answers on its port, and leaves nothing after a stop', async () => {
    const { runtime, logs, exits } = place.open()
    const spec = place.app(1, programs.server)
    const instance = await runtime.start(spec)
    await runtime.awaitHealthy(instance, health, never)
    expect(instance).toMatchObject({ name: 'strata-1', environmentId: 1 })
    expect(instance.port).toBeGreaterThanOrEqual(20_000)
    expect(instance.port).toBeLessThan(30_000)
    const answer = await answerOf(instance.port)
    expect(answer).toMatchObject({ pid: instance.pid, folder: spec.folder })
    expect([...(await runtime.list()).values()]).toEqual([instance])
    expect(readdirSync(place.instances)).toEqual(['strata-1.json'])

    await runtime.stop('strata-1', 10_000)
    expect(isRunning(instance.pid)).toBe(false)
    expect(await runtime.list()).toEqual(new Map())
    expect(readdirSync(place.instances)).toEqual([])
    expect((await logs.tail(1, 10)).map(({ line }) => line)).toEqual(['listening', 'bye'])
    expect(exits).toEqual([])
    await runtime.stop('strata-1', 10_000)
  })

  test("receives its own variables and none of the daemon's", async () => {
    process.env.SERVICE_RUNTIME_TEST = 'the daemon has this'
    const { runtime } = place.open()
    const instance = await runtime.start(
      place.app(1, programs.server, {
        env: { GREETING: 'hello', PASSWORD: redacted('s3cret'), PORT: '1', NODE_ENV: 'test' },
        launch: { env: { GREETING: 'overruled', COLOUR: 'blue' } },
      }),
    )
    delete process.env.SERVICE_RUNTIME_TEST
    await runtime.awaitHealthy(instance, health, never)
    const { env } = await answerOf(instance.port)
    expect(env).toMatchObject({
      GREETING: 'hello',
      PASSWORD: 's3cret',
      COLOUR: 'blue',
      NODE_ENV: 'test',
      PORT: String(instance.port),
    })
    expect(
      Object.keys(env)
        .filter((name) => !['TZ', 'LANG'].includes(name))
        .sort(),
    ).toEqual('COLOUR GREETING HOME NODE_ENV PASSWORD PATH PORT STRATA_INSTANCE'.split(' '))
  })

  test('is started once for concurrent callers', async () => {
    const { runtime } = place.open()
    const spec = place.app(1, programs.server)
    const instances = await Promise.all([1, 2, 3].map(() => runtime.start(spec)))
    expect(new Set(instances.map(({ pid }) => pid)).size).toBe(1)
    expect(processesIn(place.folder)).toEqual([instances[0]?.pid])
    expect(await runtime.start(spec)).toEqual(instances[0])
  })

  test('is refused with the reason if its program, folder or environment is invalid', async () => {
    const { runtime } = place.open()
    const start = (start: readonly string[], root = '') =>
      runtime.start(place.app(1, '', { launch: { start, root } }))
    await expect(start(['no-such-program'])).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('no such program'),
    })
    await expect(start(['./app.cjs'])).rejects.toThrow('not executable')
    await expect(start([])).rejects.toThrow('empty')
    await expect(start(['node', 'app.cjs'], 'nowhere')).rejects.toThrow('not in the release')
    await expect(start(['node', 'app.cjs'], '../..')).rejects.toThrow('not in the release')
    const bad = place.app(1, '', { env: { KEY: redacted('a\0b') } })
    await expect(runtime.start(bad)).rejects.toThrow(/"KEY" can't be set/)
    expect(readdirSync(place.instances)).toEqual([])
    expect(await runtime.list()).toEqual(new Map())
  })

  test('with a fixed port gets the port, or an error if it is in use', async () => {
    const { runtime } = place.open()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const spec = place.app(1, programs.server, { launch: { port } })
    await expect(runtime.start(spec)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining(`port ${port}`),
    })
    await new Promise((resolve) => taken.close(resolve))
    const instance = await runtime.start(spec)
    expect(instance.port).toBe(port)
    await runtime.awaitHealthy(instance, health, never)
  })

  test('gets a port that was not used recently', async () => {
    const { runtime } = place.open({ ports: { from: 24_100, to: 24_109 } })
    const ports = new Set<number>()
    for (let round = 0; round < 6; round += 1) {
      const instance = await runtime.start(place.app(1, programs.idle))
      ports.add(instance.port)
      await runtime.stop('strata-1', 0)
    }
    expect(ports.size).toBe(6)
  })
})

describe('the health gate', () => {
  test('fails at once with the exit code and the error line if the app exits', async () => {
    const { runtime, exits } = place.open()
    const instance = await runtime.start(place.app(1, programs.boom))
    await expect(runtime.awaitHealthy(instance, health, never)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/exited with code 1 before.*TypeError: no database at all/),
    })
    expect(await eventually(() => exits.length > 0, seconds)).toBe(true)
    expect(exits).toEqual([{ name: 'strata-1', environmentId: 1, code: 1, signal: null }])
    await expect(runtime.awaitHealthy(instance, health, never)).rejects.toThrow('has ended')
  })

  test('needs status 200 to 399 on a health path, and any status without a path', async () => {
    const { runtime } = place.open()
    const instance = await runtime.start(place.app(1, programs.server))
    const on = (path: string, timeoutMs = 20_000) =>
      runtime.awaitHealthy(instance, { path, timeoutMs }, never)
    await on('/moved')
    await expect(on('/broken', 2_000)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('GET /broken answered 500'),
    })
    const broken = programs.server.replace("'/broken'", "'/'")
    const other = await runtime.start(place.app(2, broken))
    await runtime.awaitHealthy(other, health, never)
  })

  test('reports that nothing listens, or the port where the app listens instead', async () => {
    const { runtime, logs } = place.open()
    const failing = { path: null, timeoutMs: 300 }
    const idle = await runtime.start(place.app(1, programs.idle))
    await expect(runtime.awaitHealthy(idle, failing, never)).rejects.toThrow(
      /within 0.3 s: nothing listens there$/,
    )
    const elsewhere = await runtime.start(
      place.app(2, "require('http').createServer().listen(0, () => console.log('up'))"),
    )
    const last = async (id: number) => (await logs.tail(id, 1))[0]?.line
    expect(await eventually(async () => (await last(2)) === 'up', seconds)).toBe(true)
    await expect(runtime.awaitHealthy(elsewhere, failing, never)).rejects.toThrow(
      /the app listens on port \d+: make it listen on the port in PORT/,
    )
  })

  test('fails if another program answers on the port', async () => {
    const { runtime } = place.open()
    const instance = await runtime.start(place.app(1, programs.idle))
    const other = createServer((_, response) => response.end('other'))
    await new Promise<void>((resolve) => other.listen(instance.port, '127.0.0.1', resolve))
    await expect(
      runtime.awaitHealthy(instance, { path: '/', timeoutMs: 2_000 }, never),
    ).rejects.toThrow('another program answers there')
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  })

  test('accepts an answer from a child of the leader, in the same session or in another', async () => {
    const { runtime } = place.open()
    for (const detached of [false, true]) {
      const parent = `require('child_process').spawn('node', ['server.cjs'], { detached: ${detached}, stdio: 'inherit' }); setInterval(() => {}, 1000)`
      const spec = place.app(detached ? 1 : 2, parent)
      writeFileSync(join(spec.folder, 'server.cjs'), programs.server)
      const instance = await runtime.start(spec)
      await runtime.awaitHealthy(instance, health, never)
      expect((await answerOf(instance.port)).pid).not.toBe(instance.pid)
    }
  })

  test('rejects with the reason of an aborted signal', async () => {
    const { runtime } = place.open()
    const instance = await runtime.start(place.app(1, programs.idle))
    const controller = new AbortController()
    const waiting = runtime.awaitHealthy(instance, health, controller.signal)
    controller.abort(new Error('no longer wanted'))
    await expect(waiting).rejects.toThrow('no longer wanted')
  })
})

describe('stopping an app', () => {
  test('kills an app that ignores SIGTERM after the grace period', async () => {
    const { runtime, logs, exits } = place.open()
    const instance = await runtime.start(place.app(1, programs.stubborn))
    expect(await eventually(async () => (await logs.tail(1, 1)).length > 0, seconds)).toBe(true)
    await runtime.stop('strata-1', 2_000)
    expect(isRunning(instance.pid)).toBe(false)
    expect((await logs.tail(1, 5)).map(({ line }) => line)).toEqual(['ready', 'no'])
    expect(exits).toEqual([])
  })

  test('ends its child processes, including processes outside its process group', async () => {
    const { runtime, logs } = place.open()
    await runtime.start(place.app(1, programs.family))
    const pids = await familyPids(logs, 1)
    expect(pids.map(isRunning)).toEqual([true, true, true])
    await runtime.stop('strata-1', 5000)
    expect(pids.map(isRunning)).toEqual([false, false, false])
  })

  test('lets a child process finish after its parent has exited', async () => {
    const { runtime, logs } = place.open()
    const child = `process.on('SIGTERM', () => setTimeout(() => { console.log('finished'); process.exit(0) }, 300)); console.log('ready'); setInterval(() => {}, 1000)`
    const spec = place.app(
      1,
      "require('child_process').spawn('node', ['child.cjs'], { stdio: 'inherit' }); process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)",
    )
    writeFileSync(join(spec.folder, 'child.cjs'), child)
    await runtime.start(spec)
    expect(await eventually(async () => (await logs.tail(1, 1)).length > 0, seconds)).toBe(true)
    await runtime.stop('strata-1', 10_000)
    expect((await logs.tail(1, 5)).map(({ line }) => line)).toEqual(['ready', 'finished'])
    expect(processesIn(place.folder)).toEqual([])
  })
})

describe('an app that exits on its own', () => {
  test('is reported once with its exit code or signal, and can be started again', async () => {
    const { runtime, exits } = place.open()
    const spec = place.app(1, programs.server)
    const first = await runtime.start(spec)
    await runtime.awaitHealthy(first, health, never)
    await fetch(`http://127.0.0.1:${first.port}/crash`).catch(() => {})
    expect(await eventually(() => exits.length === 1, seconds)).toBe(true)
    expect(exits[0]).toEqual({ name: 'strata-1', environmentId: 1, code: 3, signal: null })
    expect(await runtime.list()).toEqual(new Map())

    const second = await runtime.start(spec)
    expect(second.pid).not.toBe(first.pid)
    await runtime.awaitHealthy(second, health, never)
    process.kill(second.pid, 'SIGKILL')
    expect(await eventually(() => !isRunning(second.pid), seconds)).toBe(true)
    const third = await runtime.start(spec)
    expect(third.pid).not.toBe(second.pid)
    expect(await eventually(() => exits.length === 2, seconds)).toBe(true)
    expect(exits[1]).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  test('leaves no child processes behind', async () => {
    const { runtime, logs, exits } = place.open()
    const instance = await runtime.start(place.app(1, programs.family))
    const pids = await familyPids(logs, 1)
    process.kill(instance.pid, 'SIGKILL')
    expect(await eventually(() => exits.length === 1, seconds)).toBe(true)
    expect(pids.map(isRunning)).toEqual([false, false, false])
  })
})

test('capacity returns the total and free memory and the cores of the host', async () => {
  const { memoryBytes, memoryFreeBytes, cpuCount } = await place.open().runtime.capacity()
  expect(memoryBytes).toBeGreaterThan(memoryFreeBytes)
  expect(memoryFreeBytes).toBeGreaterThan(0)
  expect(cpuCount).toBeGreaterThan(0)
})

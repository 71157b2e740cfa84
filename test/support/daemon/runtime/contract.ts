import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import type { AppSpec, Instance, InstanceExit, Logs, Runtime } from '../../../../daemon/ports.ts'
import { eventually } from '../../apps/eventually.ts'

/** A data folder of an adapter that several daemons use after each other. */
export interface RuntimePlace {
  /** Opens the runtime of a new daemon. */
  open(): Promise<OpenRuntime>
  /** Makes a release from the source of a Node program. */
  app(environmentId: number, source: string, changes?: AppChanges): Promise<AppSpec>
  /** A folder for the data of a branch. */
  volume(): Promise<string>
  remove(): Promise<void>
}

export interface OpenRuntime {
  readonly runtime: Runtime
  readonly logs: Logs
  readonly exits: InstanceExit[]
  /** Ends the daemon; its apps continue. */
  close(): Promise<void>
}

export interface AppChanges extends Partial<Omit<AppSpec, 'launch'>> {
  readonly launch?: Partial<AppSpec['launch']>
}

const listen = `server.listen(Number(process.env.PORT), '0.0.0.0', () => console.log('listening'))
process.on('SIGTERM', () => { console.log('bye'); server.close(() => process.exit(0)); server.closeAllConnections() })`

const server = `
const http = require('node:http')
const fs = require('node:fs')
const server = http.createServer((request, response) => {
  if (request.url === '/crash') { console.error('Error: asked to crash'); process.exit(3) }
  if (request.url === '/broken') { response.statusCode = 500; return response.end('broken') }
  if (request.url === '/write') fs.writeFileSync(process.env.STRATA_DATA + '/kept', 'kept')
  if (request.url === '/read') return response.end(JSON.stringify({ text: fs.readFileSync(process.env.STRATA_DATA + '/kept', 'utf8') }))
  if (request.url === '/eat') { const all = []; setInterval(() => all.push(Buffer.alloc(16 << 20, 1)), 5) }
  response.end(JSON.stringify({ env: process.env, uid: process.getuid() }))
})
${listen}`

const never = new AbortController().signal
const health = { path: null, timeoutMs: 20_000 }
const seconds = 20_000

/**
 * Describes the behaviour that every runtime has. `hasLimits`: the runtime enforces memory limits on this host.
 * `skip`: the reason why the runtime can't run here.
 */
export function describeRuntime(
  name: string,
  createPlace: () => Promise<RuntimePlace>,
  { hasLimits, skip }: { hasLimits: boolean; skip?: string | undefined },
): void {
  describe.skipIf(skip !== undefined)(`${name} passes the contract of runtimes`, () => {
    let place: RuntimePlace
    beforeEach(async () => {
      place = await createPlace()
    })
    afterEach(() => place.remove())

    async function healthy(runtime: Runtime, spec: AppSpec): Promise<Instance> {
      const instance = await runtime.start(spec)
      await runtime.awaitHealthy(instance, health, never)
      return instance
    }

    test('an app answers at its endpoint, and stops with its last output in the log', async () => {
      const { runtime, logs, exits } = await place.open()
      const instance = await healthy(runtime, await place.app(1, server))
      expect(instance).toMatchObject({ name: 'strata-1', environmentId: 1 })
      expect(instance.endpoints).toHaveLength(1)
      expect(await get(instance)).toMatchObject({ env: { PORT: expect.any(String) } })
      expect([...(await runtime.list()).values()]).toEqual([instance])

      await runtime.stop('strata-1', 10_000)
      expect(await runtime.list()).toEqual(new Map())
      await expect(get(instance)).rejects.toThrow()
      expect(await textOf(logs, 1)).toEqual(['listening', 'bye'])
      expect(exits).toEqual([])
      await runtime.stop('strata-1', 10_000)
      await runtime.remove('strata-1', 10_000)
    })

    test('an app has its own variables and no setting of the daemon', async () => {
      process.env.SERVICE_CONTRACT_TEST = 'the daemon has this'
      const { runtime } = await place.open()
      const spec = await place.app(1, server, {
        env: { GREETING: 'hello', PASSWORD: redacted('s3cret'), PORT: '1' },
        launch: { env: { GREETING: 'overruled', COLOUR: 'blue' } },
      })
      const instance = await healthy(runtime, spec)
      delete process.env.SERVICE_CONTRACT_TEST
      const { env } = await get(instance)
      expect(env).toMatchObject({ GREETING: 'hello', PASSWORD: 's3cret', COLOUR: 'blue' })
      expect(env.PORT).not.toBe('1')
      expect(Object.keys(env).filter((key) => /SERVICE_|DOCKER/.test(key))).toEqual([])
    })

    test('concurrent starts give one app', async () => {
      const { runtime } = await place.open()
      const spec = await place.app(1, server)
      const instances = await Promise.all([1, 2, 3].map(() => runtime.start(spec)))
      expect(new Set(instances.map(({ endpoints }) => endpoints[0].port)).size).toBe(1)
      expect(await runtime.start(spec)).toEqual(instances[0])
    })

    test('a stopped app starts again, with the data of its branch', async () => {
      const { runtime } = await place.open()
      const spec = await place.app(1, server, await withVolume(place))
      await get(await healthy(runtime, spec), '/write')
      await runtime.stop('strata-1', 10_000)
      const woken = await healthy(runtime, spec)
      expect(await get(woken, '/read')).toEqual({ text: 'kept' })
      await runtime.remove('strata-1', 10_000)
      const next = await place.app(2, server, { ...spec, name: 'strata-2', environmentId: 2 })
      expect(await get(await healthy(runtime, next), '/read')).toEqual({ text: 'kept' })
    })

    test('a stopped app that starts again has new variables', async () => {
      const { runtime } = await place.open()
      const spec = await place.app(1, server, { env: { COLOUR: 'red' } })
      await healthy(runtime, spec)
      await runtime.stop('strata-1', 10_000)
      const woken = await healthy(runtime, { ...spec, env: { COLOUR: 'green' } })
      expect((await get(woken)).env).toMatchObject({ COLOUR: 'green' })
    })

    test('another process of an environment has its own log and exit, and the next daemon adopts it', async () => {
      const first = await place.open()
      const web = await place.app(1, server)
      const process = 'worker'
      const loop = 'console.log("works"); setInterval(() => {}, 1000)'
      const worker = {
        ...{ ...web, name: 'strata-1-worker', process },
        launch: { ...web.launch, start: ['node', '-e', loop] },
      }
      await healthy(first.runtime, web)
      const started = await first.runtime.start(worker)
      expect(started).toMatchObject({ name: 'strata-1-worker', environmentId: 1, process })
      const has = async () => (await textOf(first.logs, '1.worker')).includes('works')
      expect(await eventually(has, seconds)).toBe(true)
      expect(await textOf(first.logs, 1)).not.toContain('works')
      await first.close()

      const { runtime, exits } = await place.open()
      expect([...(await runtime.list()).keys()].sort()).toEqual(['strata-1', 'strata-1-worker'])
      expect((await runtime.list()).get('strata-1-worker')).toMatchObject({ process })
      await runtime.stop('strata-1-worker', 10_000)
      const short = {
        ...worker,
        launch: { ...worker.launch, start: ['node', '-e', 'process.exit(4)'] },
      }
      await runtime.start(short)
      expect(await eventually(() => exits.length > 0, seconds)).toBe(true)
      const name = 'strata-1-worker'
      expect(exits).toEqual([{ name, environmentId: 1, process, code: 4, signal: null }])
      expect([...(await runtime.list()).keys()]).toEqual(['strata-1'])
    })

    test('a crash is reported once, with the exit code and the output in the log', async () => {
      const { runtime, logs, exits } = await place.open()
      const instance = await healthy(runtime, await place.app(1, server))
      await get(instance, '/crash').catch(() => {})
      expect(await eventually(() => exits.length > 0, seconds)).toBe(true)
      expect(exits).toEqual([{ name: 'strata-1', environmentId: 1, code: 3, signal: null }])
      expect(await textOf(logs, 1)).toContain('Error: asked to crash')
      expect(await runtime.list()).toEqual(new Map())
      expect(await get(await healthy(runtime, await place.app(1, server)))).toBeDefined()
    })

    test('an app that ends before it answers is refused with its code and its last error', async () => {
      const { runtime } = await place.open()
      const spec = await place.app(1, `throw new TypeError('no database at all')`)
      const boot = async () => healthy(runtime, spec)
      await expect(boot()).rejects.toMatchObject({
        kind: 'unprocessable',
        message: 'the app exited with code 1 before it answered: TypeError: no database at all',
      })
    })

    test('an app that never listens is refused after the time limit', async () => {
      const { runtime } = await place.open()
      const instance = await runtime.start(await place.app(1, 'setInterval(() => {}, 1000)'))
      const wait = runtime.awaitHealthy(instance, { path: '/', timeoutMs: 1_000 }, never)
      await expect(wait).rejects.toThrow(
        /did not become healthy.* within 1 s: nothing listens there/,
      )
      await runtime.remove('strata-1', 0)
    })

    test('a health path that answers 500 is unhealthy', async () => {
      const { runtime } = await place.open()
      const instance = await runtime.start(await place.app(1, server))
      const wait = runtime.awaitHealthy(instance, { path: '/broken', timeoutMs: 2_000 }, never)
      await expect(wait).rejects.toThrow('GET /broken answered 500')
    })

    test('an app that ignores SIGTERM is killed after the grace period, which is no crash', async () => {
      const { runtime, logs, exits } = await place.open()
      const source = `process.on('SIGTERM', () => console.log('no')); console.log('ready'); setInterval(() => {}, 1000)`
      await runtime.start(await place.app(1, source))
      expect(await eventually(async () => (await textOf(logs, 1)).includes('ready'), seconds)).toBe(
        true,
      )
      await runtime.stop('strata-1', 1_000)
      expect(await runtime.list()).toEqual(new Map())
      expect(await textOf(logs, 1)).toEqual(['ready', 'no'])
      expect(exits).toEqual([])
    })

    test.skipIf(!hasLimits)('an app over its memory limit ends, and the exit says so', async () => {
      const { runtime, exits } = await place.open()
      const spec = await place.app(1, server, { launch: { memoryMb: 96 } })
      const instance = await healthy(runtime, spec)
      await get(instance, '/eat').catch(() => {})
      expect(await eventually(() => exits.length > 0, seconds)).toBe(true)
      expect(exits).toMatchObject([{ name: 'strata-1', outOfMemoryMb: 96 }])
    })

    test('the next daemon adopts a running app, with every line of its output once', async () => {
      const first = await place.open()
      const source = `${server}\nlet n = 0; setInterval(() => console.log('tick ' + n++), 5)`
      const spec = await place.app(1, source)
      const instance = await healthy(first.runtime, spec)
      await eventually(async () => (await textOf(first.logs, 1)).length > 20, seconds)
      await first.close()

      const { runtime, logs, exits } = await place.open()
      expect([...(await runtime.list()).values()]).toEqual([instance])
      expect(await runtime.start(spec)).toEqual(instance)
      await runtime.awaitHealthy([...(await runtime.list()).values()][0] ?? instance, health, never)
      const before = (await textOf(logs, 1)).length
      expect(
        await eventually(async () => (await textOf(logs, 1)).length > before + 50, seconds),
      ).toBe(true)
      await runtime.stop('strata-1', 10_000)
      const ticks = (await textOf(logs, 1)).filter((line) => line.startsWith('tick '))
      expect(ticks).toEqual(ticks.map((_, n) => `tick ${n}`))
      expect(exits).toEqual([])
    })

    test('an invalid variable is refused without its value', async () => {
      const { runtime } = await place.open()
      const spec = await place.app(1, server, { env: { KEY: redacted('a\0b') } })
      await expect(runtime.start(spec)).rejects.toThrow(/"KEY" can't be set/)
      expect(await runtime.list()).toEqual(new Map())
    })

    test('the capacity of the node is known', async () => {
      const { runtime } = await place.open()
      const { memoryBytes, memoryFreeBytes, cpuCount } = await runtime.capacity()
      expect(memoryBytes).toBeGreaterThan(64 * 2 ** 20)
      expect(memoryFreeBytes).toBeLessThanOrEqual(memoryBytes)
      expect(cpuCount).toBeGreaterThan(0)
    })
  })
}

async function withVolume(place: RuntimePlace): Promise<AppChanges> {
  const volume = await place.volume()
  return { volume, env: { STRATA_DATA: volume } }
}

async function get(
  { endpoints: [{ host, port }] }: Instance,
  path = '/',
): Promise<{ env: Record<string, string>; text?: string }> {
  const response = await fetch(`http://${host}:${port}${path}`)
  return response.json() as Promise<{ env: Record<string, string> }>
}

async function textOf(logs: Logs, environmentId: number | string): Promise<string[]> {
  const lines = await logs.tail(environmentId, 10_000)
  return lines.filter(({ stream }) => stream !== 'build').map(({ line }) => line)
}

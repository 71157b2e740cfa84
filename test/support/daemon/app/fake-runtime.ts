import { instanceName } from '../../../../daemon/domain/process-names.ts'
import { DaemonError } from '../../../../daemon/errors.ts'
import type { AppSpec, Instance, InstanceExit, Runtime } from '../../../../daemon/ports.ts'
import { createGates, type Gates } from './gates.ts'

/** A running app of the fake runtime. Each start has another port. */
export interface FakeInstance extends Instance {
  readonly port: number
}

/** Returns a running app of an environment. */
export function fakeInstance(environmentId: number, port: number, process?: string): FakeInstance {
  const name = instanceName(environmentId, process)
  const endpoints = [{ host: '127.0.0.1', port }] as const
  const own = process === undefined ? {} : { process }
  return { name, environmentId, ...own, containerName: name, endpoints, port, startedAt: 0 }
}

export interface FakeRuntime extends Runtime {
  /** Gate names: `start:<id>`, `healthy:<id>`, `stop:<id>`. */
  readonly gates: Gates
  readonly started: AppSpec[]
  readonly stopped: string[]
  /** Names of all calls of `remove`, also of apps that did not run. */
  readonly removed: string[]
  readonly running: Map<string, FakeInstance>
  /** Health faults by environment id; id 0 applies to all environments. */
  readonly unhealthy: Map<number, string>
  memoryMb: number
  /** Ends a process and reports its exit. */
  crash(environmentId: number, code?: number, process?: string): void
}

export function createFakeRuntime(memoryMb = 4096): FakeRuntime {
  const gates = createGates()
  const running = new Map<string, FakeInstance>()
  const started: AppSpec[] = []
  const stopped: string[] = []
  const removed: string[] = []
  const unhealthy = new Map<number, string>()
  const listeners: ((exit: InstanceExit) => void)[] = []
  let lastPort = 20_000
  async function stop(name: string): Promise<void> {
    await gates.pass(`stop:${name.slice('strata-'.length)}`)
    if (running.delete(name)) stopped.push(name)
  }
  const fake: FakeRuntime = {
    gates,
    started,
    stopped,
    removed,
    running,
    unhealthy,
    memoryMb,
    crash(environmentId, code = 1, process) {
      const name = instanceName(environmentId, process)
      const own = process === undefined ? {} : { process }
      if (!running.delete(name)) throw new Error(`${name} does not run`)
      for (const listener of listeners)
        listener({ name, environmentId, ...own, code, signal: null })
    },
    async start(app) {
      const known = running.get(app.name)
      if (known) return known
      started.push(app)
      await gates.pass(`start:${app.name.slice('strata-'.length)}`)
      lastPort += 1
      const { name, environmentId, process } = app
      const instance = fakeInstance(environmentId, lastPort, process)
      running.set(name, instance)
      return instance
    },
    list: async () => new Map(running),
    stop,
    async remove(name) {
      removed.push(name)
      await stop(name)
    },
    onExit: (listener) => void listeners.push(listener),
    async awaitHealthy({ environmentId }, _health, signal) {
      await gates.pass(`healthy:${environmentId}`, signal)
      const why = unhealthy.get(environmentId) ?? unhealthy.get(0)
      if (why !== undefined) throw new DaemonError('unprocessable', why)
    },
    capacity: async () => ({
      memoryBytes: fake.memoryMb * 2 ** 20,
      memoryFreeBytes: fake.memoryMb * 2 ** 20,
      cpuCount: 2,
    }),
  }
  return fake
}

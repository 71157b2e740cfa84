import { DaemonError } from '../../../../daemon/errors.ts'
import type { AppSpec, Instance, InstanceExit, Runtime } from '../../../../daemon/ports.ts'
import { createGates, type Gates } from './gates.ts'

export interface FakeRuntime extends Runtime {
  /** Gate names: `start:<id>`, `healthy:<id>`, `stop:<id>`. */
  readonly gates: Gates
  readonly started: AppSpec[]
  readonly stopped: string[]
  readonly running: Map<string, Instance>
  /** Health faults by environment id; id 0 applies to all environments. */
  readonly unhealthy: Map<number, string>
  memoryMb: number
  /** Ends a process and reports its exit. */
  crash(environmentId: number, code?: number): void
}

export function createFakeRuntime(memoryMb = 4096): FakeRuntime {
  const gates = createGates()
  const running = new Map<string, Instance>()
  const started: AppSpec[] = []
  const stopped: string[] = []
  const unhealthy = new Map<number, string>()
  const listeners: ((exit: InstanceExit) => void)[] = []
  let lastPort = 20_000
  const fake: FakeRuntime = {
    gates,
    started,
    stopped,
    running,
    unhealthy,
    memoryMb,
    crash(environmentId, code = 1) {
      const name = `strata-${environmentId}`
      if (!running.delete(name)) throw new Error(`${name} does not run`)
      for (const listener of listeners) listener({ name, environmentId, code, signal: null })
    },
    async start(app) {
      const known = running.get(app.name)
      if (known) return known
      started.push(app)
      await gates.pass(`start:${app.environmentId}`)
      lastPort += 1
      const { name, environmentId } = app
      const instance = { name, environmentId, pid: lastPort, port: lastPort, startedAt: 0 }
      running.set(name, instance)
      return instance
    },
    list: async () => new Map(running),
    async stop(name) {
      await gates.pass(`stop:${name.slice('strata-'.length)}`)
      if (running.delete(name)) stopped.push(name)
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

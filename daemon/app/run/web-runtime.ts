import type { Runtime } from '../../ports.ts'

/** Returns the part of a runtime that runs web processes: it lists and reports no other process of an environment. */
export function webRuntime(runtime: Runtime): Runtime {
  return {
    start: (app) => runtime.start(app),
    stop: (name, graceMs) => runtime.stop(name, graceMs),
    remove: (name, graceMs) => runtime.remove(name, graceMs),
    awaitHealthy: (instance, health, signal) => runtime.awaitHealthy(instance, health, signal),
    capacity: () => runtime.capacity(),
    async list() {
      const all = [...(await runtime.list())]
      return new Map(all.filter(([, { process }]) => process === undefined))
    },
    onExit(listener) {
      runtime.onExit((exit) => {
        if (exit.process === undefined) listener(exit)
      })
    },
  }
}

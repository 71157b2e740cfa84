import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { Containers } from './containers.ts'
import { inspectContainer } from './inspect.ts'
import { containerNameOf } from './start-container.ts'

/** Time for the engine beyond the grace period of a stop. */
const stopMarginMs = 20_000

/** The ends of containers that the daemon asks for. The caller holds the lock of the app. */
export function createContainerStops({
  engine,
  ownership,
  containers,
}: {
  engine: Engine
  ownership: Ownership
  containers: Containers
}) {
  async function stop(name: string, graceMs: number): Promise<void> {
    const container = containers.find(name)
    if (container) container.isStopping = true
    const target = containerNameOf(name, ownership)
    try {
      await engine.call({
        method: 'POST',
        path: `/containers/${encodeURIComponent(target)}/stop`,
        query: { t: Math.ceil(graceMs / 1000) },
        timeoutMs: graceMs + stopMarginMs,
      })
    } catch (error) {
      if (!hasStatus(error, 404)) {
        if (container) container.isStopping = false
        throw error
      }
    }
    if (!container) return
    const state = await inspectContainer(engine, container.id)
    if (state?.isRunning) throw new DaemonError('internal', `${name} survives SIGKILL`)
    await containers.end(container, state)
  }

  /** Returns true if a container of this name has the seal of this daemon. */
  async function owns(name: string): Promise<boolean> {
    const target = containerNameOf(name, ownership)
    const state = await inspectContainer(engine, target)
    return state !== undefined && ownership.read(target, state.labels)?.role === 'app'
  }

  async function remove(name: string, graceMs: number): Promise<void> {
    await stop(name, graceMs)
    const path = `/containers/${encodeURIComponent(containerNameOf(name, ownership))}`
    const call = { method: 'DELETE', path, query: { force: true, v: true } } as const
    await engine.call({ ...call, timeoutMs: 60_000 }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error
    })
  }

  return { stop, remove, owns }
}

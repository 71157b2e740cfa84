import { placeOf } from '../../domain/endpoints.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'
import type { Launcher } from './launcher.ts'

export type Restart =
  | { readonly kind: 'up'; readonly environment: Environment }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Returns a function that restarts an environment's process once. The caller holds the environment's lock. `takeReason`
 * returns why the process ended. Throws `conflict` if the environment should no longer run.
 */
export function createRestart(deps: {
  store: Pick<Store, 'environments'>
  runtime: Runtime
  clock: Clock
  launcher: Launcher
}): (id: number, takeReason: () => string, signal: AbortSignal) => Promise<Restart> {
  const { store, runtime, clock, launcher } = deps
  return async (id, takeReason, signal) => {
    signal.throwIfAborted()
    const row = await store.environments.find(id)
    if (row?.state !== 'running') throw notRunning(id)
    const reason = takeReason()
    const instance = await launcher.boot(row, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      return error instanceof Error ? error : new Error(String(error))
    })
    if (instance instanceof Error) return { kind: 'failed', reason: instance.message }
    const changes = {
      ...placeOf(instance),
      reason: `${reason}; the app was started again`,
    }
    const environment = await store.environments.update(id, changes, {
      at: clock.now(),
      ifState: ['running'],
    })
    if (!environment) {
      await runtime.stop(instance.name, 0)
      throw notRunning(id)
    }
    return { kind: 'up', environment }
  }
}

export function notRunning(id: number): DaemonError {
  return new DaemonError('conflict', `environment ${id} does not run any more`)
}

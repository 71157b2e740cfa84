import type { Endpoint } from '../../domain/endpoints.ts'
import { instanceName } from '../../domain/process-names.ts'
import type { Environment } from '../../domain/records.ts'
import type { Gateway, Logs, Runtime } from '../../ports.ts'

/** Stops processes that receive no new requests. */
export interface Retirement {
  /**
   * Waits at most `drainMs` for open requests at `endpoint`, then removes the app. Resolves when the app has ended.
   */
  retire(
    environment: Pick<Environment, 'id'>,
    endpoint: Endpoint | null,
    options?: Options,
  ): Promise<void>
  isRetiring(environmentId: number): boolean
}

interface Options {
  readonly onStep?: (step: 'drain' | 'stop-old') => Promise<void>
}

/** Maximum time for open requests to end. Without a limit an event stream would keep its app alive forever. */
export const drainMs = 10_000
/** Time from SIGTERM to SIGKILL. */
export const stopGraceMs = 10_000

export function createRetirement(deps: {
  runtime: Runtime
  gateway: Gateway
  logs: Logs
}): Retirement {
  const retiring = new Map<number, Promise<void>>()

  async function run(
    id: number,
    endpoint: Endpoint | null,
    onStep: Options['onStep'],
  ): Promise<void> {
    await onStep?.('drain')
    if (endpoint) await deps.gateway.drained(endpoint, drainMs)
    await onStep?.('stop-old')
    await deps.runtime.remove(instanceName(id), stopGraceMs)
    deps.logs.end(id)
  }

  return {
    retire({ id }, endpoint, { onStep } = {}) {
      const current = retiring.get(id)
      if (current) return current
      const work = run(id, endpoint, onStep).finally(() => retiring.delete(id))
      retiring.set(id, work)
      return work
    },
    isRetiring: (environmentId) => retiring.has(environmentId),
  }
}

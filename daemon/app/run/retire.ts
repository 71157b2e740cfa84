import type { Environment } from '../../domain/records.ts'
import type { Gateway, Logs, Runtime } from '../../ports.ts'
import { processName } from './process-name.ts'

/** Stops processes that receive no new requests. */
export interface Retirement {
  /**
   * Waits at most `drainMs` for open requests on `port`, then stops the process. Resolves when the process has ended.
   */
  retire(
    environment: Pick<Environment, 'id'>,
    port: number | null,
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

  async function run(id: number, port: number | null, onStep: Options['onStep']): Promise<void> {
    await onStep?.('drain')
    if (port !== null) await deps.gateway.drained(port, drainMs)
    await onStep?.('stop-old')
    await deps.runtime.stop(processName(id), stopGraceMs)
    deps.logs.end(id)
  }

  return {
    retire({ id }, port, { onStep } = {}) {
      const current = retiring.get(id)
      if (current) return current
      const work = run(id, port, onStep).finally(() => retiring.delete(id))
      retiring.set(id, work)
      return work
    },
    isRetiring: (environmentId) => retiring.has(environmentId),
  }
}

import type { Environment } from '../../domain/records.ts'
import type { Gateway, Logs, Runtime } from '../../ports.ts'
import { processName } from './launcher.ts'

/** Ends processes that serve no new request any more. */
export interface Retirement {
  /** Waits until its requests are over (not for ever), then stops it. Resolves when it has ended. */
  retire(
    environment: Pick<Environment, 'id'>,
    port: number | null,
    options?: Options,
  ): Promise<void>
  /** It is on its way out; nobody else need bother. */
  isRetiring(environmentId: number): boolean
}

interface Options {
  readonly onStep?: (step: 'drain' | 'stop-old') => Promise<void>
}

/** Past it a request that is still open is cut: an event stream would hold its app for ever. */
export const drainMs = 10_000
/** From SIGTERM to SIGKILL. */
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

import { createDeferred } from '../async/deferred.ts'
import type { Logger, Route } from '../ports.ts'
import type { ToGateway } from './protocol.ts'

/** Answers the wake requests of gateways with the route of the started app. */
export interface WakeRequests {
  /**
   * Returns the message for the gateway. Waits until a wake listener is registered. Concurrent requests for an
   * environment share one wake.
   */
  wake(environmentId: number): Promise<ToGateway>
  onWake(listener: WakeListener): void
}

type WakeListener = (environmentId: number) => Promise<Route>

/** `currentRoute` returns the newest route of a woken app's host, or undefined if the host has none. */
export function createWakeRequests(
  currentRoute: (woken: Route) => Route | undefined,
  log: Pick<Logger, 'warn'>,
): WakeRequests {
  const pending = new Map<number, Promise<ToGateway>>()
  let listener: WakeListener | null = null
  const listening = createDeferred<void>()

  async function callListener(environmentId: number): Promise<ToGateway> {
    await listening.promise
    try {
      const route = listener && currentRoute(await listener(environmentId))
      return route ? { type: 'woken', environmentId, route } : { type: 'not_woken', environmentId }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ environmentId, reason }, "can't start the app for a held request")
      return { type: 'not_woken', environmentId }
    }
  }

  return {
    wake(environmentId) {
      const known = pending.get(environmentId)
      if (known) return known
      const answer = callListener(environmentId).finally(() => pending.delete(environmentId))
      pending.set(environmentId, answer)
      return answer
    },
    onWake(wakeListener) {
      listener = wakeListener
      listening.resolve()
    },
  }
}

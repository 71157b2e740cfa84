import type { Gateway, Route } from '../../../../daemon/ports.ts'
import { createGates, type Gates } from './gates.ts'

export interface FakeGateway extends Gateway {
  /** Gate names: `drained`. */
  readonly gates: Gates
  readonly routes: Map<string, Route>
  /** Reports an access at a time, in milliseconds. */
  access(environmentId: number, at: number): void
  /** Simulates a held request, which wakes the environment. */
  ask(environmentId: number): Promise<Route>
}

export function createFakeGateway(): FakeGateway {
  const gates = createGates()
  const routes = new Map<string, Route>()
  let onAccess: (accesses: ReadonlyMap<number, number>) => void = () => undefined
  let onWake: (environmentId: number) => Promise<Route> = () =>
    Promise.reject(new Error('no listener'))
  return {
    gates,
    routes,
    access: (environmentId, at) => onAccess(new Map([[environmentId, at]])),
    ask: (environmentId) => onWake(environmentId),
    async route(route) {
      routes.set(route.hostname, route)
    },
    async unroute(hostname) {
      routes.delete(hostname)
    },
    async replace(all) {
      routes.clear()
      for (const route of all) routes.set(route.hostname, route)
    },
    drained: () => gates.pass('drained'),
    onAccess(listener) {
      onAccess = listener
    },
    onWake(listener) {
      onWake = listener
    },
  }
}

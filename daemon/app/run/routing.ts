import type { Environment } from '../../domain/records.ts'
import type { Gateway, Route } from '../../ports.ts'

/** What the gateway is told, and which host name is whose, in memory. */
export interface Routing {
  /** Requests go to the environment's port; without one they are held and wake it. */
  open(environment: Environment): Promise<void>
  /** New requests are held from now on. */
  hold(environment: Environment): Promise<void>
  /** The host name is nobody's, unless another environment has taken it over. */
  close(environment: Pick<Environment, 'id' | 'hostname'>): Promise<void>
  replace(environments: readonly Environment[]): Promise<void>
  /** The environment of a host name. */
  find(hostname: string): number | undefined
}

const defaultBudgetMs = 30_000

export function createRouting({ gateway }: { gateway: Gateway }): Routing {
  const owners = new Map<string, number>()
  function route(environment: Environment): Promise<void> {
    owners.set(environment.hostname, environment.id)
    return gateway.route(routeOf(environment))
  }
  return {
    open: route,
    hold: (environment) => route({ ...environment, hostPort: null }),
    async close({ id, hostname }) {
      if (owners.get(hostname) !== id) return
      owners.delete(hostname)
      await gateway.unroute(hostname)
    },
    async replace(environments) {
      owners.clear()
      for (const { hostname, id } of environments) owners.set(hostname, id)
      await gateway.replace(environments.map(routeOf))
    },
    find: (hostname) => owners.get(hostname),
  }
}

export function routeOf(environment: Environment): Route {
  return {
    hostname: environment.hostname,
    environmentId: environment.id,
    port: environment.state === 'running' ? environment.hostPort : null,
    wakeBudgetMs: environment.launch?.healthTimeoutMs ?? defaultBudgetMs,
  }
}

import { defaultHealthTimeoutMs } from '../../domain/health-timeout.ts'
import type { Environment } from '../../domain/records.ts'
import type { Gateway, Route } from '../../ports.ts'

/** Routes at the gateway, with an in-memory index of host names. */
export interface Routing {
  /** Sends requests to the environment's port. Without a port the gateway holds requests and asks for a wake. */
  open(environment: Environment): Promise<void>
  /** Makes the gateway hold new requests for the environment. */
  hold(environment: Environment): Promise<void>
  /** Removes the route. No-op if another environment uses the host name now. */
  close(environment: Pick<Environment, 'id' | 'hostname'>): Promise<void>
  /** Replaces all routes. */
  replace(environments: readonly Environment[]): Promise<void>
  /** Returns the environment id of a host name. */
  find(hostname: string): number | undefined
}

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
    projectId: environment.projectId,
    ...(environment.hostAddress !== null && { host: environment.hostAddress }),
    port: environment.state === 'running' ? environment.hostPort : null,
    wakeBudgetMs: environment.launch?.healthTimeoutMs ?? defaultHealthTimeoutMs,
  }
}

import { defaultHealthTimeoutMs } from '../../domain/health-timeout.ts'
import type { Environment } from '../../domain/records.ts'
import type { Gateway, Route, Store } from '../../ports.ts'

/** Routes at the gateway, with an in-memory index of host names. An environment also has the own domains of its branch. */
export interface Routing {
  /** Sends requests to the environment's port. Without a port the gateway holds requests and asks for a wake. */
  open(environment: Environment): Promise<void>
  /** Makes the gateway hold new requests for the environment. */
  hold(environment: Environment): Promise<void>
  /** Removes the routes. No-op for a host name that another environment uses now. */
  close(environment: Pick<Environment, 'id' | 'hostname'>): Promise<void>
  /** Replaces all routes. */
  replace(environments: readonly Environment[]): Promise<void>
  /** Adds, moves or removes the route of an own domain, as the database has it now. */
  refreshDomain(domain: string): Promise<void>
  /** Returns the environment id of a host name. */
  find(hostname: string): number | undefined
}

export function createRouting({
  gateway,
  store,
}: {
  gateway: Gateway
  store: Pick<Store, 'domains' | 'environments' | 'projects'>
}): Routing {
  const owners = new Map<string, number>()
  /** The newest route of each environment. */
  const current = new Map<number, Route>()
  let last: Promise<unknown> = Promise.resolve()

  /** Runs changes of own domains one after the other, so that each reads the newest state of the database. */
  function inOrder(work: () => Promise<void>): Promise<void> {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  async function routeDomain(domain: string, route: Route): Promise<void> {
    owners.set(domain, route.environmentId)
    await gateway.route({ ...route, hostname: domain })
  }

  async function route(environment: Environment): Promise<void> {
    const { id, hostname, projectId, branch } = environment
    const own = routeOf(environment)
    owners.set(hostname, id)
    current.set(id, own)
    await gateway.route(own)
    await inOrder(async () => {
      for (const domain of await store.domains.listNames(projectId, branch)) {
        await routeDomain(domain, current.get(id) ?? own)
      }
    })
  }

  async function unroute(hostname: string): Promise<void> {
    owners.delete(hostname)
    await gateway.unroute(hostname)
  }

  return {
    open: route,
    hold: (environment) => route({ ...environment, hostPort: null }),
    async close({ id, hostname }) {
      current.delete(id)
      if (owners.get(hostname) === id) await unroute(hostname)
      await inOrder(async () => {
        const names = [...owners].filter(([, owner]) => owner === id).map(([name]) => name)
        for (const name of names) await unroute(name)
      })
    },
    replace: (environments) =>
      inOrder(async () => {
        const names = await domainsByBranch(store)
        const routes = environments.flatMap((environment) => {
          const own = routeOf(environment)
          const domains = names.get(branchKey(environment)) ?? []
          return [own, ...domains.map((hostname) => ({ ...own, hostname }))]
        })
        owners.clear()
        current.clear()
        for (const { hostname, environmentId } of routes) owners.set(hostname, environmentId)
        for (const environment of environments) current.set(environment.id, routeOf(environment))
        await gateway.replace(routes)
      }),
    refreshDomain: (name) =>
      inOrder(async () => {
        const domain = await store.domains.find(name)
        const project = domain && (await store.projects.find(domain.projectId))
        const branch = domain?.branch ?? project?.defaultBranch ?? null
        const live =
          project && branch !== null
            ? await store.environments.findLive(project.id, branch)
            : undefined
        if (live) await routeDomain(name, current.get(live.id) ?? routeOf(live))
        else if (owners.has(name)) await unroute(name)
      }),
    find: (hostname) => owners.get(hostname),
  }
}

/** Returns the names of all own domains by project and branch. */
async function domainsByBranch({
  domains,
  projects,
}: Pick<Store, 'domains' | 'projects'>): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>()
  const all = await domains.list(null)
  if (all.length === 0) return names
  const defaults = new Map((await projects.list()).map((each) => [each.id, each.defaultBranch]))
  for (const { projectId, domain, ...given } of all) {
    const branch = given.branch ?? defaults.get(projectId) ?? null
    if (branch === null) continue
    const key = branchKey({ projectId, branch })
    names.set(key, [...(names.get(key) ?? []), domain])
  }
  return names
}

function branchKey({ projectId, branch }: Pick<Environment, 'projectId' | 'branch'>): string {
  return `${projectId} ${branch}`
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

import type { Store } from '../ports.ts'
import type { RouteSource } from './config-response.ts'

/** Returns the host names of all live environments and of the own domains that lead to one of them. */
export function routeSourceOf({
  environments,
  domains,
  projects,
}: Pick<Store, 'environments' | 'domains' | 'projects'>): RouteSource {
  return {
    // The sum grows if either of them grows.
    version: () => environments.version() + domains.version(),
    async listLive() {
      const live = await environments.listLive()
      const own = await domains.list(null)
      if (own.length === 0) return live
      const branches = new Set(live.map(({ projectId, branch }) => `${projectId} ${branch}`))
      const defaults = new Map((await projects.list()).map((each) => [each.id, each.defaultBranch]))
      const served = own.filter(({ projectId, branch }) =>
        branches.has(`${projectId} ${branch ?? defaults.get(projectId)}`),
      )
      return [...live, ...served.map(({ domain }) => ({ hostname: domain }))]
    },
  }
}

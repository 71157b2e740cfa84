import { branchHostname } from '../../domain/hostnames.ts'
import type { Environment } from '../../domain/records.ts'
import type { Clock, Logger, Store } from '../../ports.ts'

/**
 * Moves live environments to the host names of the base domain, after a change of the setting. An environment keeps its
 * host name if another branch has the new one. Call it before the routes are set.
 */
export async function applyBaseDomain(deps: {
  store: Store
  clock: Clock
  logger: Logger
  baseDomain: string
}): Promise<void> {
  const { store, logger, baseDomain } = deps
  const moves = (await store.environments.listLive()).filter(
    ({ hostname }) => domainOf(hostname) !== baseDomain,
  )
  if (moves.length === 0) return
  const failures = await store.transaction(async (tx) => {
    const found: string[] = []
    for (const environment of moves) {
      const failure = await moveHostname({ ...deps, store: tx }, environment)
      if (failure !== undefined) found.push(failure)
    }
    return found
  })
  for (const failure of failures) logger.warn({}, failure)
  const moved = moves.length - failures.length
  logger.info({ baseDomain, moved }, 'moved environments to the host names of the base domain')
}

/** Returns a message if another branch has the new host name. */
async function moveHostname(
  deps: { store: Store; clock: Clock; baseDomain: string },
  { id, projectId, branch, hostname: old }: Environment,
): Promise<string | undefined> {
  const { projects, environments } = deps.store
  const project = await projects.find(projectId)
  if (!project) return undefined
  const hostname = branchHostname({ branch, project: project.name, baseDomain: deps.baseDomain })
  const claim = await environments.claimHostname(hostname, projectId, branch)
  if (!claim.claimed) {
    return `environment ${id} stays at ${old}: the host name ${hostname} belongs to branch ${claim.branch} of project ${claim.projectId}: destroy one of the two environments, then deploy the other one`
  }
  // The release includes the new name, which is why the name is claimed again.
  await environments.releaseHostname(projectId, branch)
  await environments.claimHostname(hostname, projectId, branch)
  await environments.update(id, { hostname }, { at: deps.clock.now() })
  return undefined
}

/** Returns the part after the first label: the labels of branches have no dot. */
function domainOf(hostname: string): string {
  return hostname.slice(hostname.indexOf('.') + 1)
}

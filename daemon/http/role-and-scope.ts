import type { Access, Scope } from '../api/route.ts'
import type {
  EnvironmentUseCases,
  RepositoryUseCases,
  TrashUseCases,
  UseCases,
} from '../app/ground/use-cases.ts'
import { type Role, roles } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import type { Principal } from '../ports.ts'

/** Returns the ids of the projects visible to a principal; `null`: all. */
export function visibleProjects(principal: Principal): readonly number[] | null {
  return principal.kind === 'token' ? principal.projects : null
}

/**
 * Checks a project-scoped token; other principals pass. Throws DaemonError `forbidden` on a node-wide route. Throws
 * `not-found` for an object of another project, with the same message as for an absent object.
 */
export async function checkScope(
  scope: Exclude<Scope, 'repository'>,
  id: number | undefined,
  principal: Principal,
  useCases: {
    environments: Pick<EnvironmentUseCases, 'find'>
    queue: Pick<UseCases['queue'], 'list'>
    trash: Pick<TrashUseCases, 'find' | 'isOrphan'>
  },
): Promise<void> {
  if (scope === 'trash-entry') return checkTrashScope(id, principal, useCases.trash)
  const projects = visibleProjects(principal)
  if (projects === null || scope === 'none' || scope === 'filtered') return
  if (scope === 'node-wide') {
    throw new DaemonError(
      'forbidden',
      'this needs a token for all projects: the token is limited to some',
    )
  }
  const kind = scope.replace('-', ' ')
  if (id === undefined) throw notFound(kind)
  if (scope === 'project') {
    if (!projects.includes(id)) throw notFound(kind)
  } else if (scope === 'environment') {
    const environment = await useCases.environments.find(id).catch(rethrowNotFound(kind))
    if (!projects.includes(environment.projectId)) throw notFound(kind)
  } else {
    const entries = await useCases.queue.list(projects)
    if (!entries.some((entry) => entry.id === id)) throw notFound(kind)
  }
}

/** Throws `not-found` for a repository of a project that the principal may not see, and for an absent one. */
export async function checkRepositoryScope(
  name: unknown,
  principal: Principal,
  repositories: Pick<RepositoryUseCases, 'find'>,
): Promise<void> {
  const kind = 'repository'
  if (typeof name !== 'string') throw notFound(kind)
  const { id } = await repositories.find(name).catch(rethrowNotFound(kind))
  const projects = visibleProjects(principal)
  if (projects !== null && !projects.includes(id)) throw notFound(kind)
}

/** The data of a deleted project is for admins of all projects: no token of single projects owns it. */
async function checkTrashScope(
  id: number | undefined,
  principal: Principal,
  trash: Pick<TrashUseCases, 'find' | 'isOrphan'>,
): Promise<void> {
  const kind = 'trash entry'
  if (id === undefined) throw notFound(kind)
  const entry = await trash.find(id).catch(rethrowNotFound(kind))
  const isOrphan = await trash.isOrphan(entry)
  const projects = visibleProjects(principal)
  if (projects !== null && (isOrphan || !projects.includes(entry.projectId))) throw notFound(kind)
  if (isOrphan && principal.kind === 'token') requireRole('admin', principal.role)
}

/** Throws DaemonError `forbidden` if the role of the principal is too low for a route with this access. */
export function checkRole(
  access: Access,
  principal: Principal,
  isFlagged: (flag: string, value: string | undefined) => boolean,
): void {
  if (principal.kind !== 'token') return
  if (access.kind === 'master') {
    throw new DaemonError('forbidden', 'this needs the master token')
  }
  if (access.kind !== 'token') return
  const { role, flagged } = access
  requireRole(role, principal.role)
  if (flagged?.queries.some((query) => isFlagged(query, flagged.value)))
    requireRole(flagged.role, principal.role)
}

function requireRole(needed: Role, given: Role): void {
  if (roles.indexOf(given) < roles.indexOf(needed)) {
    throw new DaemonError('forbidden', `this needs the role ${needed}: the token has ${given}`)
  }
}

export function notFound(kind: string): DaemonError {
  return new DaemonError('not-found', `no such ${kind}`)
}

/** Replaces a `not-found` error: its message could distinguish absent objects from objects of other projects. */
function rethrowNotFound(kind: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DaemonError && error.kind === 'not-found' ? notFound(kind) : error
  }
}

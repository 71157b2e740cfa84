import type { Access, Scope } from '../api/route.ts'
import type { EnvironmentUseCases, UseCases } from '../app/ground/use-cases.ts'
import { type Role, roles } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import type { Principal } from '../ports.ts'

/** The projects a principal may see; `null`: all. */
export function visibleProjects(principal: Principal): readonly number[] | null {
  return principal.kind === 'token' ? principal.projects : null
}

/**
 * Throws DaemonError `forbidden` for a project-scoped token on what is node-wide, and `not-found` on what belongs to
 * other projects or to none: it can't tell which. Others may look everywhere, and nothing is looked up for them.
 */
export async function checkScope(
  scope: Scope,
  id: number | undefined,
  principal: Principal,
  useCases: {
    environments: Pick<EnvironmentUseCases, 'find'>
    queue: Pick<UseCases['queue'], 'list'>
  },
): Promise<void> {
  const projects = visibleProjects(principal)
  if (projects === null || scope === 'none' || scope === 'filtered') return
  if (scope === 'node-wide') {
    throw new DaemonError('forbidden', 'the token is for some projects; this is for the whole node')
  }
  const what = scope.replace('-', ' ')
  if (id === undefined) throw notFound(what)
  if (scope === 'project') {
    if (!projects.includes(id)) throw notFound(what)
  } else if (scope === 'environment') {
    const environment = await useCases.environments.find(id).catch(alikeAbsent(what))
    if (!projects.includes(environment.projectId)) throw notFound(what)
  } else {
    const entries = await useCases.queue.list(projects)
    if (!entries.some((entry) => entry.id === id)) throw notFound(what)
  }
}

/** Throws DaemonError `forbidden` when the principal may not do what this access is for. */
export function checkRole(
  access: Access,
  principal: Principal,
  isFlagged: (flag: string) => boolean,
): void {
  if (principal.kind !== 'token') return
  if (access.kind === 'master') {
    throw new DaemonError('forbidden', 'this needs the master token')
  }
  if (access.kind !== 'token') return
  const { role, flagged } = access
  requireRole(role, principal.role)
  if (flagged && isFlagged(flagged.query)) requireRole(flagged.role, principal.role)
}

function requireRole(needed: Role, given: Role): void {
  if (roles.indexOf(given) < roles.indexOf(needed)) {
    throw new DaemonError('forbidden', `this needs the role ${needed}; the token has ${given}`)
  }
}

/** The same sentence whether it is absent or another's. */
export function notFound(what: string): DaemonError {
  return new DaemonError('not-found', `no such ${what}`)
}

function alikeAbsent(what: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DaemonError && error.kind === 'not-found' ? notFound(what) : error
  }
}

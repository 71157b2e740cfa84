import type { Environment, Project } from '../../../daemon/client/contract.ts'
import { ClientError } from './client-error.ts'
import { requireProject } from './projects.ts'
import type { Session } from './session.ts'

export interface TargetOptions {
  readonly project?: string
  readonly branch?: string
}

/** An environment that a command is for, and how it was found. */
export interface Target {
  readonly environment: Environment
  /** Absent where it was named by its id. */
  readonly project?: Project
}

/**
 * The environment a command is for: a number is an id, another text a branch of the project, nothing the branch that is
 * checked out. The live one of a branch, else its newest. Throws ClientError (2) where there is none.
 */
export async function findTarget(
  session: Session,
  named: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  const { client, signal } = session
  if (named !== undefined && options.branch === undefined && /^\d+$/.test(named)) {
    const { body } = await client.call('findEnvironment', { params: { id: named } }, { signal })
    return { environment: body }
  }
  const { project, branch } = await findBranch(session, options.branch ?? named, options)
  const environment = await findOfBranch(session, project, branch)
  if (environment && environment.state !== 'destroyed') return { environment, project }
  throw new ClientError(`${project.name} has no environment of branch ${branch}`, {
    exitCode: 2,
    next: [`strata up ${branch}`, 'strata status shows the branches that have one'],
  })
}

/** The project and the branch that are meant. Throws ClientError where that is not clear. */
export async function findBranch(
  session: Session,
  named: string | undefined,
  options: TargetOptions,
): Promise<{ project: Project; branch: string }> {
  const { project, repository } = await requireProject(session, options.project)
  const branch = named ?? repository?.branch
  if (branch !== undefined) return { project, branch }
  throw new ClientError('say which branch is meant', {
    next: ['the same with the name of a branch, or the id of an environment, behind it'],
  })
}

/** The live environment of a branch, else its newest. */
export async function findOfBranch(
  { client, signal }: Session,
  project: Pick<Project, 'id'>,
  branch: string,
): Promise<Environment | undefined> {
  const input = { params: { id: project.id }, query: { branch } }
  return (await client.call('listProjectEnvironments', input, { signal })).body[0]
}

/** Where an environment answers; undefined for one that does not. */
export function addressOf({ url, public_port }: Environment): string | undefined {
  if (public_port === null) return undefined
  if (public_port === 443) return `https://${url}`
  return public_port === 80 ? `http://${url}` : `http://${url}:${public_port}`
}

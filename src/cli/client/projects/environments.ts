import type { Environment, Project } from '../../../../daemon/client/contract.ts'
import type { Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { requireProject } from './projects.ts'

export interface TargetOptions {
  readonly project?: string
  readonly branch?: string
}

/** The environment that a command acts on. */
export interface Target {
  readonly environment: Environment
  /** The branch; absent if the user gave an environment id. */
  readonly project?: Project
}

/** A numeric argument is an environment id, unless `--branch` names the branch. */
export function isEnvironmentId(
  target: string | undefined,
  { branch }: TargetOptions,
): target is string {
  return target !== undefined && branch === undefined && /^\d+$/.test(target)
}

/**
 * Finds the environment that `target` refers to: an id, a branch, or the checked-out branch if undefined. Prefers the live
 * environment of a branch to its newest. Throws ClientError (2) if the branch has none.
 */
export async function findTarget(
  session: Session,
  target: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  const { client, signal } = session
  if (isEnvironmentId(target, options)) {
    const { body } = await client.call('findEnvironment', { params: { id: target } }, { signal })
    return { environment: body }
  }
  const { project, branch } = await findBranch(session, options.branch ?? target, options)
  const environment = await findOfBranch(session, project, branch)
  if (environment && environment.state !== 'destroyed') return { environment, project }
  throw new ClientError(`branch ${branch} of ${project.name} has no environment`, {
    exitCode: 2,
    next: [`strata up ${branch}`, 'strata status   lists the deployed branches'],
  })
}

/** Finds the project, and the named or checked-out branch. Throws ClientError if no branch is checked out. */
export async function findBranch(
  session: Session,
  name: string | undefined,
  options: TargetOptions,
): Promise<{ project: Project; branch: string }> {
  const { project, repository } = await requireProject(session, options.project)
  const branch = name ?? repository?.branch
  if (branch !== undefined) return { project, branch }
  throw new ClientError('no branch is given, and none is checked out', {
    next: ['append the name of a branch or the id of an environment to the command'],
  })
}

/** Returns the live environment of a branch, otherwise its newest. */
export async function findOfBranch(
  { client, signal }: Session,
  project: Pick<Project, 'id'>,
  branch: string,
): Promise<Environment | undefined> {
  const input = { params: { id: project.id }, query: { branch } }
  return (await client.call('listProjectEnvironments', input, { signal })).body[0]
}

/** Returns the public URL of an environment, or undefined if it has no public port. */
export function addressOf({ url, public_port }: Environment): string | undefined {
  if (public_port === null) return undefined
  if (public_port === 443) return `https://${url}`
  return public_port === 80 ? `http://${url}` : `http://${url}:${public_port}`
}

import type { Project } from '../../../../daemon/client/contract.ts'
import { isLocalUrl } from '../connection/daemon-url.ts'
import type { Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { hostedRemoteOf } from '../repository/hosted-remote.ts'
import { parseRemote, type Remote, remoteOf } from '../repository/remotes.ts'
import { type Repository, readRepository } from '../repository/repository.ts'

export async function listProjects({ client, signal }: Session): Promise<Project[]> {
  return (await client.call('listProjects', {}, { signal })).body
}

/** Finds a project by id or name. Throws ClientError: with exit code 2 if none matches, with 1 if several do. */
export async function findNamedProject(session: Session, idOrName: string): Promise<Project> {
  const projects = await listProjects(session)
  const found = /^\d+$/.test(idOrName)
    ? projects.filter(({ id }) => id === Number(idOrName))
    : projects.filter(({ name }) => name === idOrName)
  const [project, ...others] = found
  if (!project) {
    const known = [...new Set(projects.map(({ name }) => name))].slice(0, 10).join(', ')
    throw new ClientError(
      `unknown project ${idOrName}${known === '' ? '' : `: known are ${known}`}`,
      {
        exitCode: 2,
        next: ['strata status --all', 'strata up   registers the project of the current folder'],
      },
    )
  }
  if (others.length === 0) return project
  const ids = found.map(({ id }) => `--project ${id}`)
  throw new ClientError(`${found.length} projects are named ${idOrName}`, {
    next: [`select one by id: ${ids.join(', ')}`],
  })
}

/** Finds the registered project of a repository. */
export async function findProjectHere(
  session: Session,
  repository: Repository,
): Promise<Project | undefined> {
  const remote = await remoteOf(repository, repository.branch)
  const hosted = (await hostedRemoteOf(repository, session.url))?.hosted
  const isLocal = isLocalUrl(session.url)
  return projectOf(await listProjects(session), repository, remote, isLocal, hosted)
}

/**
 * Matches a repository by the name of its repository at the daemon, then by folder for a local daemon, then by the URL
 * that it is pushed to.
 */
export function projectOf(
  projects: readonly Project[],
  { root, context }: Pick<Repository, 'root' | 'context'>,
  remote: Remote | undefined,
  isLocal: boolean,
  hosted?: string,
): Project | undefined {
  const candidates = projects.filter((project) => project.context === context)
  const byName = hosted !== undefined && candidates.find((each) => each.hosted === hosted)
  if (byName) return byName
  const byFolder = isLocal && candidates.find(({ repo_dir }) => repo_dir === root)
  if (byFolder) return byFolder
  return candidates.find(
    ({ repo_url }) => repo_url !== null && remote && parseRemote('', repo_url)?.key === remote.key,
  )
}

/** Finds the project of `--project`, otherwise the project of the current folder. Throws ClientError (2) if unknown. */
export async function requireProject(
  session: Session,
  idOrName: string | undefined,
): Promise<{ project: Project; repository: Repository | undefined }> {
  if (idOrName !== undefined) {
    return { project: await findNamedProject(session, idOrName), repository: undefined }
  }
  const repository = await readRepository(process.cwd())
  const project = await findProjectHere(session, repository)
  if (project) return { project, repository }
  throw new ClientError(`this folder's repository is not registered at ${session.url}`, {
    exitCode: 2,
    next: [
      'strata up             registers and deploys it',
      'strata status --all   lists the registered projects',
    ],
  })
}

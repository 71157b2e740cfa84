import type { Project } from '../../../daemon/client/contract.ts'
import { ClientError } from './client-error.ts'
import { isLocalUrl } from './daemon-url.ts'
import { parseRemote, type Remote, remoteOf } from './repository/remotes.ts'
import { type Repository, readRepository } from './repository/repository.ts'
import type { Session } from './session.ts'

export async function listProjects({ client, signal }: Session): Promise<Project[]> {
  return (await client.call('listProjects', {}, { signal })).body
}

/** The project that `--project` names, by its id or its name. Throws ClientError (2) for none. */
export async function findNamedProject(session: Session, named: string): Promise<Project> {
  const projects = await listProjects(session)
  const found = /^\d+$/.test(named)
    ? projects.filter(({ id }) => id === Number(named))
    : projects.filter(({ name }) => name === named)
  const [project, ...others] = found
  if (!project) {
    const known = [...new Set(projects.map(({ name }) => name))].slice(0, 10).join(', ')
    throw new ClientError(
      `there is no project ${named}${known === '' ? '' : `: there are ${known}`}`,
      { exitCode: 2, next: ['strata status --all', 'strata up, in the folder of a project'] },
    )
  }
  if (others.length === 0) return project
  const ids = found.map(({ id }) => `--project ${id}`)
  throw new ClientError(`${found.length} projects are called ${named}`, {
    next: [`one of them: ${ids.join(', ')}`],
  })
}

/** The project that the folder belongs to, if it is registered. */
export async function findProjectHere(
  session: Session,
  repository: Repository,
): Promise<Project | undefined> {
  const remote = await remoteOf(repository, repository.branch)
  return projectOf(await listProjects(session), repository, remote, isLocalUrl(session.url))
}

/** The folder itself for a daemon on this machine, else the repository that it is pushed to. */
export function projectOf(
  projects: readonly Project[],
  { root, context }: Pick<Repository, 'root' | 'context'>,
  remote: Remote | undefined,
  isLocal: boolean,
): Project | undefined {
  const candidates = projects.filter((project) => project.context === context)
  const byFolder = isLocal && candidates.find(({ repo_dir }) => repo_dir === root)
  if (byFolder) return byFolder
  return candidates.find(
    ({ repo_url }) => repo_url !== null && remote && parseRemote('', repo_url)?.key === remote.key,
  )
}

/** The project that `--project` names, else the folder's. Throws ClientError (2) where neither is one. */
export async function requireProject(
  session: Session,
  named: string | undefined,
): Promise<{ project: Project; repository: Repository | undefined }> {
  if (named !== undefined) {
    return { project: await findNamedProject(session, named), repository: undefined }
  }
  const repository = await readRepository(process.cwd())
  const project = await findProjectHere(session, repository)
  if (project) return { project, repository }
  throw new ClientError(`this folder's repository is not registered at ${session.url}`, {
    exitCode: 2,
    next: ['strata up registers and deploys it', 'strata status --all shows what is registered'],
  })
}

import type { Project } from '../../../../daemon/client/contract.ts'
import { ResponseError } from '../../../../daemon/client/errors.ts'
import { isLocalUrl } from '../connection/daemon-url.ts'
import type { Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { hostedRemoteOf } from '../repository/hosted-remote.ts'
import { type Remote, remoteOf } from '../repository/remotes.ts'
import { type Repository, readRepository } from '../repository/repository.ts'
import { listProjects, projectOf } from './projects.ts'

/** Finds the project of the current folder, or registers it. Throws ClientError. */
export async function findOrRegisterProject(session: Session): Promise<Project> {
  const repository = await readRepository(process.cwd())
  const remote = await remoteOf(repository, repository.branch)
  const isLocal = isLocalUrl(session.url)
  const hosted = (await hostedRemoteOf(repository, session.url))?.hosted
  const known = projectOf(await listProjects(session), repository, remote, isLocal, hosted)
  return known ?? register(session, repository, isLocal, remote)
}

/**
 * Registers a repository: by path with a local daemon, otherwise by the remote that it is pushed to. Throws ClientError
 * if a remote daemon has no remote to fetch from, or the daemon rejects the registration.
 */
export async function register(
  { client, output, signal, url }: Session,
  { root, context }: Repository,
  isLocal: boolean,
  remote: Remote | undefined,
): Promise<Project> {
  const source = isLocal ? { repo_dir: root } : remote && { repo_url: remote.url }
  if (!source) {
    throw new ClientError(
      `this repository has no remote that the daemon at ${url} can fetch from`,
      { next: ['git remote add origin <url> && git push --set-upstream origin HEAD'] },
    )
  }
  const body = { ...source, ...(context !== '' && { context }) }
  const { body: project } = await client
    .call('registerProject', { body }, { signal })
    .catch((error: unknown) => {
      throw isLocal && error instanceof ResponseError && error.status === 400
        ? new ClientError(error.message, {
            next: [
              'strata up --remote   for a daemon on another machine, reached through a tunnel',
            ],
          })
        : error
    })
  const where = project.repo_dir ?? project.repo_url
  output.note(
    `registered ${project.name} from ${where}${context === '' ? '' : `, folder ${context}`}`,
  )
  return project
}

import type { Project } from '../../../daemon/client/contract.ts'
import { AnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import { isLocalUrl } from './daemon-url.ts'
import { listProjects, projectOf } from './projects.ts'
import { type Remote, remoteOf } from './repository/remotes.ts'
import { type Repository, readRepository } from './repository/repository.ts'
import type { Session } from './session.ts'

/** The project of the folder, registered where it is new. Throws ClientError. */
export async function projectHere(session: Session): Promise<Project> {
  const repository = await readRepository(process.cwd())
  const remote = await remoteOf(repository, repository.branch)
  const isLocal = isLocalUrl(session.url)
  const known = projectOf(await listProjects(session), repository, remote, isLocal)
  return known ?? register(session, repository, isLocal, remote)
}

/**
 * Registers a folder's repository: by its path with a daemon on this machine, else by the remote it is pushed to.
 * Throws ClientError where the daemon could not fetch from it.
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
      `the daemon at ${url} deploys what is pushed, and this repository has no remote it can fetch from`,
      { next: ['git remote add origin <url> && git push --set-upstream origin HEAD'] },
    )
  }
  const body = { ...source, ...(context !== '' && { context }) }
  const { body: project } = await client
    .call('registerProject', { body }, { signal })
    .catch((error: unknown) => {
      throw isLocal && error instanceof AnswerError && error.status === 400
        ? new ClientError(error.message, {
            next: ['strata up --remote   if the daemon is on another machine, behind a tunnel'],
          })
        : error
    })
  const where = project.repo_dir ?? project.repo_url
  output.note(
    `registered ${project.name} from ${where}${context === '' ? '' : `, folder ${context}`}`,
  )
  return project
}

import type { Project } from '../../../../daemon/client/contract.ts'
import { isLocalUrl } from '../connection/daemon-url.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { deployTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { findNamedProject, listProjects, projectOf } from '../projects/projects.ts'
import { register } from '../projects/register.ts'
import { hostedRemoteOf } from '../repository/hosted-remote.ts'
import { type Remote, remoteOf, requirePushed } from '../repository/remotes.ts'
import {
  branchToDeploy,
  countChanges,
  type Repository,
  readRepository,
  requireLocalBranch,
} from '../repository/repository.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { deployAndShow } from './deploy-and-show.ts'

export interface UpOptions extends CommonOptions {
  readonly project?: string
  readonly remote?: boolean
  readonly verbose?: boolean
  readonly wait?: boolean
}

/** `strata up`: deploys a branch of the folder's project, and registers the project first if needed. */
export function up(branchName: string | undefined, options: UpOptions): Promise<void> {
  return runWithDaemon(options, async (session, { onInterrupt }) => {
    const { project, branch } = await chooseBranch(session, branchName, options)
    if (options.wait === false) return queueDeploy(session, project, branch)
    onInterrupt(() => [
      `stopped waiting: the deploy of ${branch} continues`,
      '  try: strata status',
    ])
    await deployAndShow(session, {
      title: `${project.name}/${branch}`,
      project,
      branch,
      isVerbose: options.verbose ?? false,
      notFoundHints: [`git push --set-upstream origin ${branch}`, 'git branch --all'],
      requestDeploy: () =>
        session.client.call(
          'deploy',
          { params: { id: project.id }, body: { branch } },
          { signal: session.signal, timeoutMs: deployTimeoutMs },
        ),
    })
  })
}

async function queueDeploy(session: Session, project: Project, branch: string): Promise<void> {
  const { body } = await session.client.call(
    'deploy',
    { params: { id: project.id }, body: { branch } },
    { signal: session.signal, headers: { prefer: 'respond-async' } },
  )
  session.output.result(body, () => [
    `queued the deploy of ${branch}; strata status shows its progress`,
  ])
}

async function chooseBranch(
  session: Session,
  branchName: string | undefined,
  options: UpOptions,
): Promise<{ project: Project; branch: string }> {
  if (options.project !== undefined) {
    const project = await findNamedProject(session, options.project)
    if (branchName !== undefined) return { project, branch: branchName }
    throw new ClientError('--project requires the name of a branch', {
      next: [`strata up <branch> --project ${options.project}`],
    })
  }
  const repository = await readRepository(process.cwd())
  const branch = await branchToDeploy(repository, branchName)
  const hosted = await hostedRemoteOf(repository, session.url)
  const remote = hosted ?? (await remoteOf(repository, branch))
  const isLocal = isLocalUrl(session.url) && options.remote !== true
  const known = projectOf(await listProjects(session), repository, remote, isLocal, hosted?.hosted)
  const isByFolder = known ? known.repo_dir !== null : isLocal
  if (isByFolder) await requireLocalBranch(repository, branch)
  else if (remote) await warnUnpushed(session, repository, branch, remote)
  await warnUncommitted(session, repository, branch)
  const project = known ?? (await register(session, repository, isLocal, remote))
  return { project, branch }
}

/** Throws ClientError if the branch was never pushed. */
async function warnUnpushed(
  { output }: Session,
  repository: Repository,
  branch: string,
  remote: Remote,
): Promise<void> {
  const { commitsAhead } = await requirePushed(repository, branch, remote)
  if (commitsAhead === 0) return
  const commits = commitsAhead === 1 ? '1 commit is' : `${commitsAhead} commits are`
  output.note(`${output.paintNote('yellow', 'note:')} ${commits} not pushed yet: git push`)
}

async function warnUncommitted(
  { output }: Session,
  repository: Repository,
  branch: string,
): Promise<void> {
  if (branch !== repository.branch) return
  const count = await countChanges(repository)
  if (count === 0) return
  const files = count === 1 ? '1 file is' : `${count} files are`
  output.note(
    `${output.paintNote('yellow', 'note:')} ${files} changed and not committed: the deploy uses the last commit`,
  )
}

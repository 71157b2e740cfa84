import type { Deployed, Environment, Project } from '../../../../daemon/client/contract.ts'
import { ClientError } from '../client-error.ts'
import { isLocalUrl } from '../daemon-url.ts'
import { addressOf, findOfBranch } from '../environments.ts'
import { findNamedProject, listProjects, projectOf } from '../projects.ts'
import { register } from '../register.ts'
import { type Remote, remoteOf, requirePushed } from '../repository/remotes.ts'
import {
  branchToDeploy,
  countChanges,
  type Repository,
  readRepository,
  requireLocalBranch,
} from '../repository/repository.ts'
import { runWithDaemon } from '../run.ts'
import type { CommonOptions, Session } from '../session.ts'
import { lengthOf } from '../terminal/times.ts'
import { explainFailure } from './failed-build.ts'
import { createProgress } from './progress.ts'
import { watchDeploy } from './watch-deploy.ts'

export interface UpOptions extends CommonOptions {
  readonly project?: string
  readonly remote?: boolean
  readonly verbose?: boolean
  readonly wait?: boolean
}

/** `strata up`: deploys a branch of the folder's project, and registers that first where it is new. */
export function up(named: string | undefined, options: UpOptions): Promise<void> {
  return runWithDaemon(options, async (session, { onInterrupt }) => {
    const { project, branch } = await chooseBranch(session, named, options)
    if (options.wait === false) return queue(session, project, branch)
    onInterrupt(() => [
      `not waiting any longer: the deploy of ${branch} goes on`,
      '  try: strata status',
    ])
    await deployAndShow(session, {
      title: `${project.name}/${branch}`,
      project,
      branch,
      isVerbose: options.verbose ?? false,
      ifAbsent: [`git push --set-upstream origin ${branch}`, 'git branch --all'],
      ask: () =>
        session.client.call(
          'deploy',
          { params: { id: project.id }, body: { branch } },
          { signal: session.signal, timeoutMs: answerMs },
        ),
    })
  })
}

/** The daemon answers after ten minutes at the latest. */
export const answerMs = 660_000

/** Watches a deploy that `ask` asks for, and prints where it answers. Also what `strata rollback` does. */
export async function deployAndShow(
  session: Session,
  deploy: {
    readonly title: string
    readonly project: Pick<Project, 'id'>
    readonly branch: string
    readonly isVerbose: boolean
    /** What to try where the daemon says 404. */
    readonly ifAbsent: readonly string[]
    readonly ask: () => Promise<{ status: 201; body: Deployed } | { status: 202; body: object }>
  },
): Promise<void> {
  const { output } = session
  const { project, branch, title, isVerbose, ifAbsent, ask } = deploy
  const startedAt = Date.now()
  const live = await findOfBranch(session, project, branch)
  const progress = createProgress({
    title,
    screen: process.stderr,
    paint: output.paintNote,
    isVerbose,
    now: Date.now,
  })
  let row: Environment
  try {
    row = await watchDeploy(session, { projectId: project.id, branch, ask }, progress)
  } catch (error) {
    progress.stop()
    const hasLive = live !== undefined && ['running', 'paused', 'hibernating'].includes(live.state)
    throw await explainFailure(session, error, { branch, hasLive, ifAbsent })
  }
  progress.stop()
  const commit = row.branch.commit_sha.slice(0, 7)
  const took = lengthOf(Date.now() - startedAt)
  output.note(`${output.paintNote('green', '✓')} ${title} ${row.state} at ${commit} after ${took}`)
  const address = addressOf(row)
  output.result({ ...row, address: address ?? null }, () => [address ?? row.url])
}

async function queue(session: Session, project: Project, branch: string): Promise<void> {
  const { body } = await session.client.call(
    'deploy',
    { params: { id: project.id }, body: { branch } },
    { signal: session.signal, headers: { prefer: 'respond-async' } },
  )
  session.output.result(body, () => [`queued: the deploy of ${branch} goes on without us`])
}

async function chooseBranch(
  session: Session,
  named: string | undefined,
  options: UpOptions,
): Promise<{ project: Project; branch: string }> {
  if (options.project !== undefined) {
    const project = await findNamedProject(session, options.project)
    if (named !== undefined) return { project, branch: named }
    throw new ClientError('--project needs the name of a branch', {
      next: [`strata up <branch> --project ${options.project}`],
    })
  }
  const repository = await readRepository(process.cwd())
  const branch = await branchToDeploy(repository, named)
  const remote = await remoteOf(repository, branch)
  const isLocal = isLocalUrl(session.url) && options.remote !== true
  const known = projectOf(await listProjects(session), repository, remote, isLocal)
  const isByFolder = known ? known.repo_dir !== null : isLocal
  if (isByFolder) await requireLocalBranch(repository, branch)
  else if (remote) await notePushes(session, repository, branch, remote)
  await noteChanges(session, repository, branch)
  const project = known ?? (await register(session, repository, isLocal, remote))
  return { project, branch }
}

async function notePushes(
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

async function noteChanges(
  { output }: Session,
  repository: Repository,
  branch: string,
): Promise<void> {
  if (branch !== repository.branch) return
  const count = await countChanges(repository)
  if (count === 0) return
  const files = count === 1 ? '1 file is' : `${count} files are`
  output.note(
    `${output.paintNote('yellow', 'note:')} ${files} changed and not committed: what is committed is deployed`,
  )
}

import type { Environment, Project } from '../../../../daemon/client/contract.ts'
import { isLive } from '../../../../daemon/client/states.ts'
import type { Session } from '../connection/session.ts'
import { addressOf, findOfBranch } from '../projects/environments.ts'
import { formatDuration } from '../terminal/units.ts'
import { explainFailure } from './explain-failure.ts'
import { createProgress } from './progress.ts'
import { type RequestDeploy, watchDeploy } from './watch-deploy.ts'

export interface ShownDeploy {
  readonly title: string
  readonly project: Pick<Project, 'id'>
  readonly branch: string
  readonly isVerbose: boolean
  /** Advice to print if the daemon answers 404. */
  readonly notFoundHints: readonly string[]
  readonly requestDeploy: RequestDeploy
}

/** Requests a deploy or a rollback, shows its progress, and prints the address. Throws if it fails. */
export async function deployAndShow(session: Session, deploy: ShownDeploy): Promise<void> {
  const { output } = session
  const { project, branch, title, isVerbose, notFoundHints, requestDeploy } = deploy
  const startedAt = Date.now()
  const previous = await findOfBranch(session, project, branch)
  const progress = createProgress({
    title,
    screen: process.stderr,
    paint: output.paintNote,
    isVerbose,
    now: Date.now,
  })
  let environment: Environment
  try {
    const request = { projectId: project.id, branch, requestDeploy }
    environment = await watchDeploy(session, request, progress)
  } catch (error) {
    progress.stop()
    const hasLive = previous !== undefined && isLive(previous.state)
    throw await explainFailure(session, error, { branch, hasLive, notFoundHints })
  }
  progress.stop()
  const commit = environment.branch.commit_sha.slice(0, 7)
  const duration = formatDuration(Date.now() - startedAt)
  output.note(
    `${output.paintNote('green', '✓')} ${title} ${environment.state} at ${commit} after ${duration}`,
  )
  const address = addressOf(environment)
  output.result({ ...environment, address: address ?? null }, () => [address ?? environment.url])
}

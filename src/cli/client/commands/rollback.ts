import type { CommonOptions, Session } from '../connection/session.ts'
import { deployTimeoutMs } from '../connection/timeouts.ts'
import {
  findBranch,
  findTarget,
  isEnvironmentId,
  type TargetOptions,
} from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { deployAndShow } from '../up/deploy-and-show.ts'

export interface RollbackOptions extends CommonOptions, TargetOptions {
  readonly to?: string
  readonly overMigrations?: boolean
}

/** `strata rollback`: redeploys an earlier commit. An environment id selects the branch of that environment. */
export function rollback(target: string | undefined, options: RollbackOptions): Promise<void> {
  return runWithDaemon(options, async (session, { onInterrupt }) => {
    const { project, branch, title } = await chooseBranch(session, target, options)
    onInterrupt(() => [
      `stopped waiting: the rollback of ${branch} continues`,
      '  try: strata status',
    ])
    await deployAndShow(session, {
      title,
      project,
      branch,
      isVerbose: false,
      notFoundHints: [`strata audit ${branch}   lists the earlier deploys`],
      requestDeploy: () =>
        session.client.call(
          'rollback',
          {
            params: { id: project.id },
            body: {
              branch,
              ...(options.to !== undefined && { to_sha: options.to }),
              ...(options.overMigrations && { over_migrations: true }),
            },
          },
          { signal: session.signal, timeoutMs: deployTimeoutMs },
        ),
    })
  })
}

async function chooseBranch(
  session: Session,
  target: string | undefined,
  options: RollbackOptions,
): Promise<{ project: { readonly id: number }; branch: string; title: string }> {
  if (isEnvironmentId(target, options)) {
    const { environment } = await findTarget(session, target, options)
    const branch = environment.branch.name
    return { project: { id: environment.project_id }, branch, title: `rollback of ${branch}` }
  }
  const { project, branch } = await findBranch(session, options.branch ?? target, options)
  return { project, branch, title: `rollback of ${project.name}/${branch}` }
}

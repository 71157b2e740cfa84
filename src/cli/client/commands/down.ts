import type { CommonOptions } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { findTarget, type TargetOptions } from '../projects/environments.ts'
import { requireProject } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'

export interface DownOptions extends CommonOptions, TargetOptions {
  readonly purgeSecrets?: boolean
  readonly everything?: boolean
}

/** `strata down`: removes an environment, or the whole project with `--everything`. */
export function down(target: string | undefined, options: DownOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    if (options.everything) {
      const { project } = await requireProject(session, options.project ?? target)
      await client.call('removeProject', { params: { id: project.id } }, { signal, timeoutMs })
      output.result({ project_id: project.id, status: 'deleted' }, () => [
        `deleted ${project.name} with its environments and secrets`,
      ])
      return
    }
    const { id, branch } = (await findTarget(session, target, options)).environment
    const query = { purge_secrets: options.purgeSecrets }
    await client.call('destroyEnvironment', { params: { id }, query }, { signal, timeoutMs })
    output.result({ environment_id: id, status: 'destroyed' }, () => [
      `${branch.name} (environment ${id}) is gone; strata up ${branch.name} deploys it again`,
    ])
  })
}

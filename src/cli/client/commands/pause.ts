import type { CommonOptions } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { findTarget, type TargetOptions } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata pause`: stops an environment until the next request wakes it. */
export function pause(
  target: string | undefined,
  options: CommonOptions & TargetOptions,
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, branch } = (await findTarget(session, target, options)).environment
    await client.call('pauseEnvironment', { params: { id } }, { signal, timeoutMs })
    const { body } = await client.call('findEnvironment', { params: { id } }, { signal })
    output.result(body, () => [
      `${branch.name} (environment ${id}) is asleep: the next request wakes it`,
    ])
  })
}

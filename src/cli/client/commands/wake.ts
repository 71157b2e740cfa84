import type { CommonOptions } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { addressOf, findTarget, type TargetOptions } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { formatDuration } from '../terminal/units.ts'

/** `strata wake`: starts a sleeping environment and waits until it is healthy. */
export function wake(
  target: string | undefined,
  options: CommonOptions & TargetOptions,
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, branch } = (await findTarget(session, target, options)).environment
    const startedAt = Date.now()
    await client.call('wakeEnvironment', { params: { id } }, { signal, timeoutMs })
    const { body } = await client.call('findEnvironment', { params: { id } }, { signal })
    const address = addressOf(body)
    const duration = formatDuration(Date.now() - startedAt)
    output.result({ ...body, address: address ?? null }, () => [
      `${branch.name} (environment ${id}) is awake after ${duration}`,
      ...(address === undefined ? [] : [address]),
    ])
  })
}

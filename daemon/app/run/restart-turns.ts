import { createKeyLimit } from '../../async/key-limit.ts'
import { withDeadline } from '../../async/with-deadline.ts'
import type { Clock } from '../../ports.ts'

/** Maximum numbers of apps that start in parallel after a reboot of the host: of all projects, and of each. */
const parallelRestarts = { total: 4, each: 3 }

/** Time after which a starting app only waits for its health check, and the next app may start. */
const startMs = 10_000

/** Returns a function that restarts an app when it is its project's turn. */
export function createRestartTurns({ clock }: { clock: Clock }) {
  const starts = createKeyLimit(parallelRestarts)
  return async <T>(
    projectId: number,
    restart: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const begun = await starts.run(
      projectId,
      async () => {
        const result = restart()
        const ended = result.then(
          () => undefined,
          () => undefined,
        )
        await withDeadline(ended, { clock, ms: startMs })
        return { result }
      },
      signal,
    )
    return begun.result
  }
}

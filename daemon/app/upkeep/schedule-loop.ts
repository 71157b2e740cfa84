import type { Clock, Logger } from '../../ports.ts'
import type { Schedules } from '../run/schedules.ts'

/** Checks the schedules at the begin of each minute: five fields of cron know no shorter unit. */
export interface ScheduleLoop {
  start(): void
  stop(): void
}

const minuteMs = 60_000
/** Time until the next check if no live environment has a schedule. A deploy causes a check at once. */
const idleMs = 3_600_000

export function createScheduleLoop({
  schedules,
  clock,
  logger,
}: {
  schedules: Pick<Schedules, 'check' | 'onChange' | 'close'>
  clock: Clock
  logger: Logger
}): ScheduleLoop {
  const stopped = new AbortController()
  let changed = new AbortController()
  schedules.onChange(() => changed.abort())

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      changed = new AbortController()
      const signal = AbortSignal.any([stopped.signal, changed.signal])
      const hasSchedules = await schedules.check().catch((err) => {
        logger.error({ err }, 'could not check the schedules')
        return true
      })
      const waitMs = hasSchedules ? minuteMs - (clock.now() % minuteMs) : idleMs
      await clock.wait(waitMs, signal).catch(() => {})
    }
  }

  return {
    start: () => void loop(),
    stop() {
      stopped.abort()
      schedules.close()
    },
  }
}

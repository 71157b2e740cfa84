import { nextTime } from '../../domain/schedule-times.ts'
import { isLive } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import type { ScheduleUseCases } from '../ground/use-cases.ts'

/** Runs of each schedule that are listed. */
const listedRuns = 10

export function createScheduleUseCases({
  store,
  clock,
}: {
  store: Store
  clock: Pick<Clock, 'now'>
}): ScheduleUseCases {
  return {
    async list(environmentId) {
      const row = await store.environments.find(environmentId)
      if (!row) throw new DaemonError('not-found', `no environment ${environmentId}`)
      const { projectId, branch } = row
      const project = await store.projects.find(projectId)
      const runs = await store.scheduleRuns.list({ projectId, branch })
      return (row.launch?.schedules ?? []).map((schedule) => {
        const isDefault = project?.defaultBranch === branch
        const isActive = isLive(row.state) && (isDefault || schedule.hasPreviews === true)
        return {
          schedule,
          nextAt: isActive ? nextTime(schedule, clock.now()) : null,
          runs: runs.filter(({ name }) => name === schedule.name).slice(0, listedRuns),
        }
      })
    },
  }
}

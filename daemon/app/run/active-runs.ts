import { instanceName, logKey, scheduleProcess } from '../../domain/process-names.ts'
import type { LaunchSchedule, ScheduleRun } from '../../domain/records.ts'
import type { Clock, Logger, Logs, Runtime, Store } from '../../ports.ts'
import type { ReleaseFolders } from './release-folders.ts'
import { stopGraceMs } from './retire.ts'
import type { Branch } from './trash.ts'

/** A run of a schedule that has not ended. */
export interface ActiveRun {
  readonly run: ScheduleRun
  readonly timeoutMs: number
  readonly abort: AbortController
  readonly release: () => void
}

export type RunEnd = Pick<ScheduleRun, 'outcome' | 'exitCode' | 'detail'>

/** The runs of schedules that go on. Ends each at its time limit. */
export interface ActiveRuns {
  /** Finds the run of an instance. */
  find(instance: string): ActiveRun | undefined
  findOf(schedule: Branch & { readonly name: string }): ActiveRun | undefined
  listOf(branch: Branch): readonly ActiveRun[]
  /** Adds a run. Its end calls `releaseMemory`, and lets go of the release folder. */
  add(
    run: ScheduleRun,
    schedule: Pick<LaunchSchedule, 'timeoutMs'>,
    held: { readonly releaseMemory: () => void; readonly release: string | null },
  ): ActiveRun
  /** Records the end of a run, and removes what the runtime retains of it. No-op if it has ended. */
  conclude(active: ActiveRun, end: RunEnd): Promise<void>
  /** Ends the program of a run, and records its end. */
  end(active: ActiveRun, end: RunEnd): Promise<void>
  /** Adds a line to the log of a schedule. */
  writeLog(run: Pick<ScheduleRun, 'environmentId' | 'name' | 'dueAt'>, text: string): Promise<void>
  /** Stops the timers. The programs go on. */
  close(): void
}

export function createActiveRuns(deps: {
  store: Pick<Store, 'scheduleRuns'>
  runtime: Pick<Runtime, 'remove'>
  clock: Clock
  folders: Pick<ReleaseFolders, 'hold'>
  logs: Pick<Logs, 'sink'>
  logger: Pick<Logger, 'error'>
}): ActiveRuns {
  const { store, runtime, clock, folders, logger } = deps
  const byInstance = new Map<string, ActiveRun>()

  const listOf = ({ projectId, branch }: Branch) =>
    [...byInstance.values()].filter(
      ({ run }) => run.projectId === projectId && run.branch === branch,
    )

  async function conclude(active: ActiveRun, end: RunEnd): Promise<void> {
    const { run, abort, release } = active
    const instance = instanceOf(run)
    if (byInstance.get(instance) !== active) return
    byInstance.delete(instance)
    abort.abort(new Error('the run has ended'))
    release()
    await store.scheduleRuns.end(run.id, { ...end, endedAt: clock.now() })
    if (end.detail !== null) await writeLog(run, end.detail)
    await runtime.remove(instance, 0)
  }

  async function end(active: ActiveRun, how: RunEnd): Promise<void> {
    await runtime.remove(instanceOf(active.run), stopGraceMs)
    await conclude(active, how)
  }

  async function writeLog(
    { environmentId, name, dueAt }: Pick<ScheduleRun, 'environmentId' | 'name' | 'dueAt'>,
    text: string,
  ): Promise<void> {
    const sink = deps.logs.sink(logKey(environmentId, scheduleProcess(name)), 'build')
    const line = `strata: the run of ${timeText(dueAt)}: ${text}\n`
    sink.write(new TextEncoder().encode(line), 'stderr')
    await sink.end()
  }

  function endAtLimit(active: ActiveRun): void {
    const { run, timeoutMs, abort } = active
    const endsAt = (run.startedAt ?? run.dueAt) + timeoutMs
    const detail = `it was ended at its time limit of ${timeoutMs / 1000} s`
    clock.wait(Math.max(0, endsAt - clock.now()), abort.signal).then(
      () =>
        end(active, { outcome: 'timed_out', exitCode: null, detail }).catch((err) =>
          logger.error({ err }, 'could not end a run of a schedule'),
        ),
      () => {},
    )
  }

  return {
    find: (instance) => byInstance.get(instance),
    findOf: (schedule) => listOf(schedule).find(({ run }) => run.name === schedule.name),
    listOf,
    add(run, { timeoutMs }, { releaseMemory, release: folder }) {
      // The branch may be deployed again meanwhile, which would remove the release.
      const letGo = folder === null ? () => {} : folders.hold(folder)
      const release = () => {
        letGo()
        releaseMemory()
      }
      const active = { run, timeoutMs, abort: new AbortController(), release }
      byInstance.set(instanceOf(run), active)
      endAtLimit(active)
      return active
    },
    conclude,
    end,
    writeLog,
    close() {
      for (const { abort } of byInstance.values()) abort.abort(new Error('the daemon is stopping'))
    },
  }
}

/** Returns the name under which the runtime runs a run. */
export function instanceOf({ environmentId, name }: ScheduleRun): string {
  return instanceName(environmentId, scheduleProcess(name))
}

export function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.000Z$/, 'Z')
}

import { createLocks } from '../../async/locks.ts'
import { scheduleProcess } from '../../domain/process-names.ts'
import type { Environment, LaunchSchedule, ScheduleRun } from '../../domain/records.ts'
import { timesBetween } from '../../domain/schedule-times.ts'
import type { Clock, InstanceExit, Logger, Runtime, Store } from '../../ports.ts'
import { type ActiveRuns, instanceOf, type RunEnd, timeText } from './active-runs.ts'
import type { Admission } from './admission.ts'
import type { DataUsage } from './data-usage.ts'
import { exitText } from './exit-text.ts'
import type { Launcher } from './launcher.ts'
import { stopGraceMs } from './retire.ts'
import type { Branch } from './trash.ts'

/** Runs the commands of schedules when they are due, also beside a sleeping web process, which sleeps on. */
export interface Schedules {
  /** Continues the runs of the previous daemon. Call it once, before `check`. */
  begin(): Promise<void>
  /**
   * Starts what is due now, and records what was missed. Returns true if a live environment has schedules that run.
   */
  check(): Promise<boolean>
  /** Call when an environment has become live: it may have other schedules than the previous one. */
  changed(): void
  /** Sets the listener that `changed` calls. */
  onChange(listener: () => void): void
  handleExit(exit: InstanceExit): void
  /** Ends the runs of a branch. */
  endOf(branch: Branch): Promise<void>
  /** Stops the timers of this daemon. Runs go on, and the next daemon continues them. */
  close(): void
}

/** A due time is served until this much later. Later, the run is missed: nobody expects it any more. */
const lateMs = 5 * 60_000
/** Missed times that are counted. */
const maxMissed = 10_000

interface SchedulesDeps {
  readonly store: Store
  readonly runtime: Pick<Runtime, 'list' | 'remove'>
  readonly clock: Clock
  readonly launcher: Pick<Launcher, 'startProcess'>
  readonly admission: Pick<Admission, 'reserve'>
  readonly dataUsage: Pick<DataUsage, 'require'>
  readonly activeRuns: ActiveRuns
  readonly logger: Logger
}

export function createSchedules(deps: SchedulesDeps): Schedules {
  const { store, runtime, clock, admission, activeRuns, logger } = deps
  const checkSchedule = createCheck(deps)
  const locks = createLocks()
  let isClosed = false
  let notify: () => void = () => {}

  /** Returns the schedules of an environment that run: those of the default branch, and those for previews. */
  async function activeSchedules(row: Environment): Promise<readonly LaunchSchedule[]> {
    const schedules = row.launch?.schedules ?? []
    if (schedules.length === 0) return []
    const project = await store.projects.find(row.projectId)
    const isDefault = project?.defaultBranch === row.branch
    return schedules.filter(({ hasPreviews }) => isDefault || hasPreviews)
  }

  /** Continues a run of the previous daemon, or records that its end is unknown. */
  async function adopt(run: ScheduleRun, isRunning: boolean): Promise<void> {
    const row = await store.environments.find(run.environmentId)
    const schedule = row?.launch?.schedules?.find(({ name }) => name === run.name)
    if (row && schedule && isRunning) {
      const { memoryMb } = row.launch ?? row
      const request = { memoryMb, nodeId: row.nodeId, replaces: undefined, aheadMb: 0 }
      const reserved = await admission.reserve(request)
      const releaseMemory = reserved.kind === 'placed' ? reserved.reservation.release : () => {}
      activeRuns.add(run, schedule, { releaseMemory, release: row.release })
      return
    }
    const detail = 'it ended while no daemon ran: its exit code is unknown'
    const end = { outcome: 'unknown', endedAt: clock.now(), exitCode: null, detail } as const
    await store.scheduleRuns.end(run.id, end)
    if (row) await activeRuns.writeLog(run, detail)
    await runtime.remove(instanceOf(run), 0)
  }

  return {
    async begin() {
      const instances = await runtime.list()
      const runs = await store.scheduleRuns.listRunning()
      for (const run of runs) await adopt(run, instances.has(instanceOf(run)))
      for (const { name, process } of instances.values()) {
        const isOfSchedule = process?.includes('_')
        if (isOfSchedule && !activeRuns.find(name)) await runtime.remove(name, stopGraceMs)
      }
    },
    check: () =>
      locks.run('check', async () => {
        let count = 0
        for (const row of await store.environments.listLive()) {
          for (const schedule of await activeSchedules(row)) {
            if (isClosed) return false
            count += 1
            await checkSchedule(row, schedule).catch((err) => {
              logger.error({ err, environmentId: row.id }, 'could not check a schedule')
            })
          }
        }
        return count > 0
      }),
    changed: () => notify(),
    onChange(listener) {
      notify = listener
    },
    handleExit(exit) {
      const active = activeRuns.find(exit.name)
      if (!active || isClosed) return
      activeRuns.conclude(active, endOfExit(exit)).catch((err) => {
        logger.error({ err }, 'could not record a run of a schedule')
      })
    },
    async endOf(branch) {
      const detail = 'it was ended, because its branch ended or its data moves'
      for (const active of activeRuns.listOf(branch)) {
        await activeRuns.end(active, { outcome: 'failed', exitCode: null, detail })
      }
    },
    close() {
      isClosed = true
      activeRuns.close()
    },
  }
}

/** Returns the function that starts a schedule if it is due, and records what was missed. */
function createCheck(deps: SchedulesDeps) {
  const { store, runtime, clock, launcher, admission, dataUsage, activeRuns } = deps

  /** Records a time at which the schedule does not run, in the database and in its log. */
  async function note(
    { id: environmentId, projectId, branch }: Environment,
    { name }: LaunchSchedule,
    dueAt: number,
    { outcome, detail }: { outcome: 'missed' | 'skipped'; detail: string },
  ): Promise<void> {
    const run = { projectId, branch, name, environmentId, dueAt, outcome, detail } as const
    const none = { startedAt: null, endedAt: null, exitCode: null }
    const isNew = await store.scheduleRuns.create({ ...run, ...none })
    if (isNew) await activeRuns.writeLog(run, `${outcome}: ${detail}`)
  }

  /** Reserves memory for a run. Returns the reason if the run can't start now. */
  async function reserve(row: Environment): Promise<{ release: () => void } | string> {
    try {
      await dataUsage.require(row.projectId)
    } catch (error) {
      return (error as Error).message
    }
    const memoryMb = row.launch?.memoryMb ?? row.memoryMb
    const request = { memoryMb, nodeId: row.nodeId, replaces: undefined, aheadMb: 0 }
    const reserved = await admission.reserve(request)
    if (reserved.kind === 'placed') return reserved.reservation
    return `no memory: the run may use ${memoryMb} MiB`
  }

  async function start(row: Environment, schedule: LaunchSchedule, dueAt: number): Promise<void> {
    const { id: environmentId, projectId, branch } = row
    const { name } = schedule
    const previous = activeRuns.findOf({ projectId, branch, name })
    if (previous) {
      const detail = `the run of ${timeText(previous.run.dueAt)} has not ended`
      return note(row, schedule, dueAt, { outcome: 'skipped', detail })
    }
    const reserved = await reserve(row)
    if (typeof reserved === 'string') {
      return note(row, schedule, dueAt, { outcome: 'missed', detail: reserved })
    }
    // The row comes first: a daemon that is killed now does not run this time again.
    const run = await store.scheduleRuns.create({
      ...{ projectId, branch, name, environmentId, dueAt, outcome: 'running' },
      ...{ startedAt: clock.now(), endedAt: null, exitCode: null, detail: null },
    })
    if (!run) return reserved.release()
    const held = { releaseMemory: reserved.release, release: row.release }
    const active = activeRuns.add(run, schedule, held)
    try {
      await launcher.startProcess(row, { ...schedule, name: scheduleProcess(name) })
      // The run was ended during a slow start.
      const isOver = activeRuns.find(instanceOf(run)) !== active
      if (isOver) await runtime.remove(instanceOf(run), stopGraceMs)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      await activeRuns.conclude(active, { outcome: 'failed', exitCode: null, detail })
    }
  }

  return async (row: Environment, schedule: LaunchSchedule): Promise<void> => {
    const { projectId, branch } = row
    const [last] = await store.scheduleRuns.list({ projectId, branch, name: schedule.name })
    const after = Math.max(last?.dueAt ?? 0, row.createdAt)
    const now = clock.now()
    const due = timesBetween(schedule, { after, until: now, max: maxMissed })
    const newest = due.at(-1)
    if (newest === undefined) return
    const isInTime = now - newest <= lateMs
    const missed = isInTime ? due.slice(0, -1) : due
    const [first] = missed
    const lastMissed = missed.at(-1)
    if (first !== undefined && lastMissed !== undefined) {
      const count = missed.length === maxMissed ? `more than ${maxMissed}` : String(missed.length)
      const runs = missed.length === 1 ? 'one run was' : `${count} runs were`
      const detail = `${runs} missed since ${timeText(first)}: the daemon did not run, or was busy`
      await note(row, schedule, lastMissed, { outcome: 'missed', detail })
    }
    if (isInTime) await start(row, schedule, newest)
  }
}

function endOfExit(exit: InstanceExit): RunEnd {
  const { code, signal, outOfMemoryMb } = exit
  if (code === 0 && outOfMemoryMb === undefined) {
    return { outcome: 'succeeded', exitCode: 0, detail: null }
  }
  if (code !== null || signal !== null || outOfMemoryMb !== undefined) {
    return { outcome: 'failed', exitCode: code, detail: exitText(exit, 'it') }
  }
  const detail = 'it ended after a restart of the daemon: its exit code is unknown'
  return { outcome: 'unknown', exitCode: null, detail }
}

import type { Locks } from '../../async/locks.ts'
import { isRecorded } from '../../domain/endpoints.ts'
import { defaultHealthTimeoutMs } from '../../domain/health-timeout.ts'
import { instanceName } from '../../domain/process-names.ts'
import type { Environment } from '../../domain/records.ts'
import { restartDelayMs } from '../../domain/retry.ts'
import { asleepStates, isAsleep } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'
import type { AuditActor } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { Admission } from './admission.ts'
import type { AppSupervisor } from './app-supervisor.ts'
import type { DataUsage } from './data-usage.ts'
import type { LastAccesses } from './last-accesses.ts'
import type { Launcher } from './launcher.ts'
import type { MovingApps } from './moving-apps.ts'
import type { Processes } from './processes.ts'
import type { Routing } from './routing.ts'
import { createWakeApp } from './wake-app.ts'

export interface Waking {
  /**
   * Resolves when the environment serves. Concurrent calls share one start. With `isPatient: false` (visitors),
   * rethrows the last error during the back-off after a failure.
   */
  wake(environmentId: number, actor: AuditActor, isPatient?: boolean): Promise<Environment>
  /** Returns true if a wake is in progress. */
  isWaking(environmentId: number): boolean
  /** Cancels a wake in progress with `error`. */
  cancel(environmentId: number, error: DaemonError): void
  stop(): Promise<void>
}

interface Wake {
  readonly work: Promise<Environment>
  readonly abort: AbortController
}

interface Failure {
  readonly count: number
  /** Time before which visitors cause no new start attempt. */
  readonly until: number
  readonly error: unknown
}

const maxFailures = 10_000

export function createWaking(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  admission: Admission
  launcher: Launcher
  supervisor: AppSupervisor
  routing: Routing
  locks: Locks
  movingApps: Pick<MovingApps, 'ended'>
  accesses: LastAccesses
  failpoints: Failpoints
  dataUsage: Pick<DataUsage, 'require'>
  processes: Pick<Processes, 'start'>
}): Waking {
  const { store, runtime, clock, supervisor, locks } = deps
  const wakes = new Map<number, Wake>()
  const failures = new Map<number, Failure>()
  const wakeApp = createWakeApp({
    ...deps,
    bootFailures: { add: addFailure, clear: (id) => void failures.delete(id) },
  })

  async function run(id: number, actor: AuditActor, signal: AbortSignal): Promise<Environment> {
    await deps.movingApps.ended(id, signal)
    const row = await locks.run(id, () => wakeLocked(id, actor, signal))
    const recovery = supervisor.findRecovery(id)
    return recovery ? awaitRecovery(row, recovery, signal) : row
  }

  /** Waits for a crashed app to recover. Throws `unavailable` after the wake budget. */
  async function awaitRecovery(
    row: Environment,
    recovery: Promise<Environment>,
    signal: AbortSignal,
  ): Promise<Environment> {
    const done = new AbortController()
    const budgetMs = row.launch?.healthTimeoutMs ?? defaultHealthTimeoutMs
    const timeout = clock.wait(budgetMs, AbortSignal.any([signal, done.signal])).then(() => {
      throw new DaemonError('unavailable', `the app is down: ${row.reason ?? 'it crashed'}`)
    })
    timeout.catch(() => undefined)
    try {
      return await Promise.race([recovery, timeout])
    } finally {
      done.abort()
    }
  }

  async function wakeLocked(id: number, actor: AuditActor, signal: AbortSignal) {
    signal.throwIfAborted()
    const row = await store.environments.find(id)
    if (!row) throw new DaemonError('not-found', `no environment ${id}`)
    if (row.state === 'running') {
      if (!(await hasProcess(row))) supervisor.restartCrashed(row)
      return row
    }
    if (!isAsleep(row.state)) {
      throw new DaemonError('conflict', `environment ${id} is ${row.state}: only paused ones wake`)
    }
    return wakeApp(row, actor, signal)
  }

  /** Check the runtime: the gateway may notice a dead process before the exit event arrives. */
  async function hasProcess(row: Environment): Promise<boolean> {
    const instances = await runtime.list()
    return row.hostPort !== null && isRecorded(row, instances.get(instanceName(row.id)))
  }

  /** Starts the back-off for visitors and records the reason in the environment. */
  async function addFailure(id: number, error: unknown): Promise<void> {
    const count = (failures.get(id)?.count ?? 0) + 1
    if (failures.size >= maxFailures) failures.clear()
    failures.set(id, { count, until: clock.now() + restartDelayMs(count), error })
    const message = error instanceof Error ? error.message : String(error)
    const reason = `the app did not wake: ${message}`
    const options = { at: clock.now(), ifState: asleepStates }
    await store.environments.update(id, { reason }, options)
  }

  return {
    wake(id, actor, isPatient = true) {
      const current = wakes.get(id)
      if (current) return current.work
      const failure = failures.get(id)
      if (!isPatient && failure && failure.until > clock.now()) return Promise.reject(failure.error)
      const abort = new AbortController()
      const work = run(id, actor, abort.signal).finally(() => wakes.delete(id))
      wakes.set(id, { work, abort })
      return work
    },
    isWaking: (id) => wakes.has(id),
    cancel(id, error) {
      failures.delete(id)
      wakes.get(id)?.abort.abort(error)
    },
    async stop() {
      const error = new DaemonError('unavailable', 'the daemon is stopping: try again later')
      for (const { abort } of wakes.values()) abort.abort(error)
      await Promise.allSettled([...wakes.values()].map(({ work }) => work))
    },
  }
}

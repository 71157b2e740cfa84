import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { restartDelayMs } from '../../domain/retry.ts'
import { asleepStates, isAsleep } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'
import { auditRow, type Doer } from '../ground/audit-row.ts'
import type { Reached } from '../ground/failpoints.ts'
import type { Admission } from './admission.ts'
import type { LastAccesses } from './last-accesses.ts'
import { type Launcher, processName } from './launcher.ts'
import type { Routing } from './routing.ts'
import type { Supervisor } from './supervisor.ts'

export interface Waking {
  /** Resolves when it serves; however many ask, it is started once. `isPatient: false` (visitors) backs off after failures. */
  wake(environmentId: number, doer: Doer, isPatient?: boolean): Promise<Environment>
  /** Somebody waits for it to wake. */
  isWanted(environmentId: number): boolean
  /** It is to go away: a wake under way ends with `error`. */
  cancel(environmentId: number, error: DaemonError): void
  stop(): Promise<void>
}

interface Wake {
  readonly work: Promise<Environment>
  readonly cancelled: AbortController
}

interface Failure {
  readonly count: number
  readonly until: number
  readonly error: unknown
}

const mostFailures = 10_000

export function createWaking(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  admission: Admission
  launcher: Launcher
  supervisor: Supervisor
  routing: Routing
  locks: Locks
  accesses: LastAccesses
  reached: Reached
}): Waking {
  const { store, clock, admission, launcher, supervisor, routing, locks, reached } = deps
  const wakes = new Map<number, Wake>()
  const failures = new Map<number, Failure>()

  async function run(id: number, doer: Doer, signal: AbortSignal): Promise<Environment> {
    const row = await locks.run(id, () => wakeHeld(id, doer, signal))
    const up = supervisor.whenUp(id)
    if (!up) return row
    const over = new AbortController()
    const budgetMs = row.launch?.healthTimeoutMs ?? 30_000
    const late = clock.wait(budgetMs, AbortSignal.any([signal, over.signal])).then(() => {
      throw new DaemonError('unavailable', `the app is down: ${row.reason ?? 'it crashed'}`)
    })
    late.catch(() => undefined)
    try {
      return await Promise.race([up, late])
    } finally {
      over.abort()
    }
  }

  async function wakeHeld(id: number, doer: Doer, signal: AbortSignal): Promise<Environment> {
    signal.throwIfAborted()
    const row = await store.environments.find(id)
    if (!row) throw new DaemonError('not-found', `no environment ${id}`)
    if (row.state === 'running') {
      if (!(await isThere(row))) supervisor.missed(row)
      return row
    }
    if (!isAsleep(row.state)) {
      throw new DaemonError('conflict', `environment ${id} is ${row.state}: only paused ones wake`)
    }
    const reservation = await reserve(row)
    try {
      return await start(row, doer, signal)
    } finally {
      reservation.release()
    }
  }

  /** Asked of what runs, because the gateway may notice an end before its news comes. */
  async function isThere({ id, hostPort }: Environment): Promise<boolean> {
    const instances = await deps.runtime.list()
    return hostPort !== null && instances.get(processName(id))?.port === hostPort
  }

  async function reserve(row: Environment) {
    const { memoryMb, nodeId } = row
    const request = { memoryMb, nodeId, replaces: undefined, aheadMb: 0 }
    const reserved = await admission.reserve(request)
    if (reserved.kind === 'placed') {
      reserved.reservation.coverRow(row.id)
      return reserved.reservation
    }
    throw new DaemonError(
      'unavailable',
      reserved.kind === 'wait'
        ? `no room to wake it: it needs ${memoryMb} MiB; pause or destroy another environment`
        : `it needs ${memoryMb} MiB and its node has ${reserved.largestMb} MiB for apps`,
    )
  }

  async function start(row: Environment, doer: Doer, signal: AbortSignal): Promise<Environment> {
    const { id } = row
    await reached('wake:start')
    supervisor.starting(id)
    const instance = await launcher.boot(row, signal).catch(async (error: unknown) => {
      if (!signal.aborted) await noteFailure(id, error)
      throw error
    })
    await reached('wake:running')
    const at = clock.now()
    const environment = await store.transaction(async (tx) => {
      const changes = {
        state: 'running',
        hostPort: instance.port,
        containerName: instance.name,
        reason: null,
        lastAccessedAt: at,
      } as const
      const updated = await tx.environments.update(id, changes, { at, ifState: asleepStates })
      if (updated) {
        await tx.audit.write(auditRow('woken', { environment: row }, 'it was woken', doer, at))
      }
      return updated
    })
    if (!environment) {
      await deps.runtime.stop(instance.name, 0)
      throw new DaemonError('conflict', `environment ${id} was changed while it woke`)
    }
    failures.delete(id)
    deps.accesses.note(id, at)
    await reached('wake:route')
    if (!supervisor.whenUp(id)) await routing.open(environment)
    supervisor.confirm(environment)
    return environment
  }

  /** So that its row says why it does not come up, and visitors do not start it again and again. */
  async function noteFailure(id: number, error: unknown): Promise<void> {
    const count = (failures.get(id)?.count ?? 0) + 1
    if (failures.size >= mostFailures) failures.clear()
    failures.set(id, { count, until: clock.now() + restartDelayMs(count), error })
    const reason = `it did not wake: ${error instanceof Error ? error.message : String(error)}`
    const options = { at: clock.now(), ifState: asleepStates }
    await store.environments.update(id, { reason }, options)
  }

  return {
    wake(id, doer, isPatient = true) {
      const current = wakes.get(id)
      if (current) return current.work
      const failure = failures.get(id)
      if (!isPatient && failure && failure.until > clock.now()) return Promise.reject(failure.error)
      const cancelled = new AbortController()
      const work = run(id, doer, cancelled.signal).finally(() => wakes.delete(id))
      wakes.set(id, { work, cancelled })
      return work
    },
    isWanted: (id) => wakes.has(id),
    cancel(id, error) {
      failures.delete(id)
      wakes.get(id)?.cancelled.abort(error)
    },
    async stop() {
      const error = new DaemonError('unavailable', 'the daemon is stopping: ask again')
      for (const { cancelled } of wakes.values()) cancelled.abort(error)
      await Promise.allSettled([...wakes.values()].map(({ work }) => work))
    },
  }
}

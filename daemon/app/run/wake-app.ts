import { createKeyLimit } from '../../async/key-limit.ts'
import { placeOf } from '../../domain/endpoints.ts'
import type { Environment } from '../../domain/records.ts'
import { asleepStates } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Runtime, Store } from '../../ports.ts'
import { type AuditActor, auditRow } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { Admission, Reservation } from './admission.ts'
import type { AppSupervisor } from './app-supervisor.ts'
import type { DataUsage } from './data-usage.ts'
import type { LastAccesses } from './last-accesses.ts'
import type { Launcher } from './launcher.ts'
import type { Processes } from './processes.ts'
import type { Routing } from './routing.ts'

/** A project may wait for this many waking apps at once. The others wait for their turn, without memory. */
const parallelWakes = { total: Number.POSITIVE_INFINITY, each: 16 }

/**
 * Returns a function that wakes a sleeping environment: reserves memory, starts the process and opens the route. The
 * caller holds the environment's lock. Throws `unavailable` if no memory is free. `bootFailures` records apps that fail
 * to start.
 */
export function createWakeApp(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  admission: Admission
  launcher: Launcher
  supervisor: AppSupervisor
  routing: Routing
  accesses: LastAccesses
  failpoints: Failpoints
  dataUsage: Pick<DataUsage, 'require'>
  processes: Pick<Processes, 'start'>
  bootFailures: {
    add(environmentId: number, error: unknown): Promise<void>
    clear(environmentId: number): void
  }
}): (row: Environment, actor: AuditActor, signal: AbortSignal) => Promise<Environment> {
  const { store, runtime, clock, admission, launcher, supervisor, routing, failpoints } = deps
  const wakes = createKeyLimit(parallelWakes)

  async function reserve({ id, memoryMb, nodeId }: Environment): Promise<Reservation> {
    const reserved = await admission.reserve({
      memoryMb,
      nodeId,
      replaces: undefined,
      aheadMb: 0,
    })
    if (reserved.kind === 'placed') {
      reserved.reservation.coverRow(id)
      return reserved.reservation
    }
    throw new DaemonError(
      'unavailable',
      reserved.kind === 'wait'
        ? `no memory to wake the app: it needs ${memoryMb} MiB; pause or destroy another environment`
        : `the app needs ${memoryMb} MiB and its node has ${reserved.largestMb} MiB for apps`,
    )
  }

  async function start(row: Environment, actor: AuditActor, signal: AbortSignal) {
    const { id } = row
    await failpoints.hit('wake:start')
    supervisor.forgetExit(id)
    const instance = await launcher.boot(row, signal).catch(async (error: unknown) => {
      if (!signal.aborted) await deps.bootFailures.add(id, error)
      throw error
    })
    await failpoints.hit('wake:running')
    const at = clock.now()
    const environment = await store.transaction(async (tx) => {
      const changes = {
        state: 'running',
        ...placeOf(instance),
        reason: null,
        lastAccessedAt: at,
      } as const
      const updated = await tx.environments.update(id, changes, { at, ifState: asleepStates })
      if (updated) {
        const detail = 'the environment was woken'
        await tx.audit.write(auditRow('woken', { environment: row }, detail, actor, at))
      }
      return updated
    })
    if (!environment) {
      await runtime.stop(instance.name, 0)
      throw new DaemonError('conflict', `environment ${id} was changed during its wake`)
    }
    return environment
  }

  async function wake(row: Environment, actor: AuditActor, signal: AbortSignal) {
    launcher.prepare(row.projectId)
    await deps.dataUsage.require(row.projectId)
    const reservation = await reserve(row)
    try {
      const environment = await start(row, actor, signal)
      deps.bootFailures.clear(row.id)
      deps.processes.start(environment)
      deps.accesses.note(row.id, environment.lastAccessedAt)
      await failpoints.hit('wake:route')
      if (!supervisor.findRecovery(row.id)) await routing.open(environment)
      supervisor.checkExit(environment)
      return environment
    } finally {
      reservation.release()
    }
  }

  return (row, actor, signal) => wakes.run(row.projectId, () => wake(row, actor, signal), signal)
}

import type { Locks } from '../../async/locks.ts'
import { endpointOf } from '../../domain/endpoints.ts'
import { instanceName } from '../../domain/process-names.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Gateway, Runtime, Store } from '../../ports.ts'
import { type AuditActor, auditRow, daemonActor } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { AppSupervisor } from './app-supervisor.ts'
import type { Processes } from './processes.ts'
import { drainMs, stopGraceMs } from './retire.ts'
import type { Routing } from './routing.ts'
import type { Waking } from './wake.ts'

export interface Pausing {
  /** Pauses an environment on request. Throws `conflict` if the environment is not running. */
  pause(environmentId: number, actor: AuditActor): Promise<void>
  /** Pauses an idle environment after its requests have drained, if `isDue` is still true. Returns true if paused. */
  pauseIdle(environmentId: number, isDue: (row: Environment) => Promise<boolean>): Promise<boolean>
}

export function createPausing(deps: {
  store: Store
  runtime: Runtime
  gateway: Gateway
  clock: Clock
  routing: Routing
  supervisor: AppSupervisor
  waking: Waking
  locks: Locks
  failpoints: Failpoints
  processes: Pick<Processes, 'stop'>
  onMemoryFreed: () => void
}): Pausing {
  const { store, runtime, gateway, clock, routing, supervisor, waking, locks, failpoints } = deps

  /** Holds new requests at the gateway and waits for open requests to end. */
  async function drain(row: Environment): Promise<void> {
    await failpoints.hit('pause:hold')
    await routing.hold(row)
    const endpoint = endpointOf(row)
    if (endpoint) await gateway.drained(endpoint, drainMs)
  }

  async function stop(
    row: Environment,
    kind: 'paused' | 'idle_timeout',
    detail: string,
    actor: AuditActor,
  ): Promise<boolean> {
    await failpoints.hit('pause:row')
    const at = clock.now()
    const paused = await store.transaction(async (tx) => {
      const changes = { state: 'paused', hostPort: null, reason: null } as const
      const updated = await tx.environments.update(row.id, changes, { at, ifState: ['running'] })
      if (updated) await tx.audit.write(auditRow(kind, { environment: row }, detail, actor, at))
      return updated !== undefined
    })
    if (!paused) return false
    supervisor.forget(row.id)
    await failpoints.hit('pause:stop')
    await Promise.all([
      runtime.stop(instanceName(row.id), stopGraceMs),
      deps.processes.stop(row.id, 'stop'),
    ])
    deps.onMemoryFreed()
    return true
  }

  async function findRunning(id: number): Promise<Environment> {
    const row = await store.environments.find(id)
    if (!row) throw new DaemonError('not-found', `no environment ${id}`)
    if (row.state !== 'running') throw notRunning(row)
    return row
  }

  /** Runs `work`. Reopens the route if `work` fails while the environment is still running. */
  async function reopenOnError<T>(row: Environment, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const now = await store.environments.find(row.id)
      if (now?.state === 'running') await routing.open(now)
      throw error
    }
  }

  return {
    async pause(id, actor) {
      await findRunning(id)
      // Cancel a restart after a crash: it would hold the environment's lock.
      if (supervisor.findRecovery(id)) supervisor.forget(id)
      await locks.run(id, async () => {
        const row = await findRunning(id)
        await reopenOnError(row, async () => {
          await drain(row)
          const isPaused = await stop(row, 'paused', `paused by ${actor.operator}`, actor)
          if (!isPaused) await findRunning(id)
        })
      })
    },

    pauseIdle: (id, isDue) =>
      locks.run(id, async () => {
        const row = await store.environments.find(id)
        if (row?.state !== 'running' || waking.isWaking(id) || !(await isDue(row))) return false
        return reopenOnError(row, async () => {
          await drain(row)
          const now = await store.environments.find(id)
          if (now?.state !== 'running') return false
          // A request that arrived during the drain is waiting for a wake.
          if (waking.isWaking(id) || !(await isDue(now))) {
            await routing.open(now)
            return false
          }
          return stop(now, 'idle_timeout', 'idle for pause_after', daemonActor)
        })
      }),
  }
}

function notRunning({ id, state }: Environment): DaemonError {
  return new DaemonError(
    'conflict',
    `environment ${id} is ${state}: only a running one can be paused`,
  )
}

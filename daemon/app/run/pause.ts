import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Gateway, Runtime, Store } from '../../ports.ts'
import { auditRow, type Doer, daemonActor } from '../ground/audit-row.ts'
import type { Reached } from '../ground/failpoints.ts'
import { processName } from './launcher.ts'
import { drainMs, stopGraceMs } from './retire.ts'
import type { Routing } from './routing.ts'
import type { Supervisor } from './supervisor.ts'
import type { Waking } from './wake.ts'

export interface Pausing {
  /** Stops it at somebody's wish. Throws `conflict` when it does not run. */
  pause(environmentId: number, doer: Doer): Promise<void>
  /** Stops it if it is still idle when all is ready for it; false when it was left alone. */
  pauseIdle(environmentId: number, isDue: (row: Environment) => Promise<boolean>): Promise<boolean>
}

export function createPausing(deps: {
  store: Store
  runtime: Runtime
  gateway: Gateway
  clock: Clock
  routing: Routing
  supervisor: Supervisor
  waking: Waking
  locks: Locks
  reached: Reached
  onRoom: () => void
}): Pausing {
  const { store, runtime, gateway, clock, routing, supervisor, waking, locks, reached } = deps

  /** From here on requests are held, and those that were let in have ended or had their time. */
  async function hold(row: Environment): Promise<void> {
    await reached('pause:hold')
    await routing.hold(row)
    if (row.hostPort !== null) await gateway.drained(row.hostPort, drainMs)
  }

  async function sleep(
    row: Environment,
    kind: 'paused' | 'idle_timeout',
    detail: string,
    doer: Doer,
  ): Promise<boolean> {
    await reached('pause:row')
    const at = clock.now()
    const paused = await store.transaction(async (tx) => {
      const changes = { state: 'paused', hostPort: null, reason: null } as const
      const updated = await tx.environments.update(row.id, changes, { at, ifState: ['running'] })
      if (updated) await tx.audit.write(auditRow(kind, { environment: row }, detail, doer, at))
      return updated !== undefined
    })
    if (!paused) return false
    supervisor.forget(row.id)
    await reached('pause:stop')
    await runtime.stop(processName(row.id), stopGraceMs)
    deps.onRoom()
    return true
  }

  async function findRunning(id: number): Promise<Environment> {
    const row = await store.environments.find(id)
    if (!row) throw new DaemonError('not-found', `no environment ${id}`)
    if (row.state !== 'running') throw notRunning(row)
    return row
  }

  /** A pause that breaks off leaves it as it was. */
  async function orReopen<T>(row: Environment, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const now = await store.environments.find(row.id)
      if (now?.state === 'running') await routing.open(now)
      throw error
    }
  }

  return {
    async pause(id, doer) {
      await findRunning(id)
      // One that is being started again after a crash is not waited for.
      if (supervisor.whenUp(id)) supervisor.forget(id)
      await locks.run(id, async () => {
        const row = await findRunning(id)
        await orReopen(row, async () => {
          await hold(row)
          const isPaused = await sleep(row, 'paused', `it was paused by ${doer.operator}`, doer)
          if (!isPaused) await findRunning(id)
        })
      })
    },

    pauseIdle: (id, isDue) =>
      locks.run(id, async () => {
        const row = await store.environments.find(id)
        if (row?.state !== 'running' || waking.isWanted(id) || !(await isDue(row))) return false
        return orReopen(row, async () => {
          await hold(row)
          const now = await store.environments.find(id)
          if (now?.state !== 'running') return false
          // Whoever came since the hold waits for a wake: they find it as it was.
          if (waking.isWanted(id) || !(await isDue(now))) {
            await routing.open(now)
            return false
          }
          return sleep(now, 'idle_timeout', 'nobody had used it for pause_after', daemonActor)
        })
      }),
  }
}

function notRunning({ id, state }: Environment): DaemonError {
  return new DaemonError('conflict', `environment ${id} is ${state}: only running ones are paused`)
}

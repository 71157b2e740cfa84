import { createDeferred, type Deferred } from '../../async/deferred.ts'
import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { restartDelayMs } from '../../domain/retry.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, InstanceExit, Logger, Runtime, Store } from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import { createCrashHistory } from './crash-history.ts'
import { exitText } from './exit-text.ts'
import type { Launcher } from './launcher.ts'
import { createRestart, notRunning } from './restart.ts'
import { createRestartTurns } from './restart-turns.ts'
import type { Routing } from './routing.ts'

/** Restarts crashed apps with back-off while their environment's state is `running`. */
export interface AppSupervisor {
  handleExit(exit: InstanceExit): void
  /** Restarts the app of a running environment without a process, as after a reboot. The first attempt is immediate. */
  restartNow(environment: Environment): void
  /** Restarts a crashed app whose exit event has not arrived yet, with back-off. */
  restartCrashed(environment: Environment): void
  /** Cancels restarts of an environment that should no longer run, and resets its crash count. */
  forget(environmentId: number): void
  /** Resolves when the restarted app serves again. Returns undefined if no restart is in progress. */
  findRecovery(environmentId: number): Promise<Environment> | undefined
  /** Call before a start: exits of the previous process are stale. */
  forgetExit(environmentId: number): void
  /** Call when the environment's state has become `running`: restarts the app if it exited since its start. */
  checkExit(environment: Environment): void
  stop(): void
}

interface Recovery {
  readonly abort: AbortController
  readonly recovered: Deferred<Environment>
}

/** Maximum number of remembered exits of apps whose environment is not `running` yet. */
const maxExits = 10_000

export function createAppSupervisor(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  launcher: Launcher
  routing: Routing
  locks: Locks
  logger: Logger
  announce: Announce
}): AppSupervisor {
  const { store, clock, routing, locks, logger } = deps
  const recoveries = new Map<number, Recovery>()
  const exits = new Map<number, string>()
  const history = createCrashHistory({ clock })
  const restart = createRestart(deps)
  const inTurn = createRestartTurns({ clock })
  let isStopped = false

  function recover(environment: Environment, reason: string, isImmediate: boolean): void {
    const { id } = environment
    if (isStopped || recoveries.has(id)) return
    const abort = new AbortController()
    const recovery: Recovery = { abort, recovered: createDeferred<Environment>() }
    const { recovered } = recovery
    // Prevents an unhandled rejection if no request waits for the restart.
    recovered.promise.catch(() => undefined)
    recoveries.set(id, recovery)
    keepTrying(environment, reason, isImmediate, abort.signal)
      .then(recovered.resolve, (err) => {
        recovered.reject(err)
        if (abort.signal.aborted) return
        logger.error({ err, environmentId: id }, 'gave up restarting a crashed app')
      })
      .finally(() => {
        if (recoveries.get(id) === recovery) recoveries.delete(id)
      })
      .then(() => recovered.promise.then(checkExit, () => undefined))
  }

  async function keepTrying(
    environment: Environment,
    firstReason: string,
    isImmediate: boolean,
    signal: AbortSignal,
  ): Promise<Environment> {
    const { id } = environment
    await routing.hold(environment)
    let reason = firstReason
    for (let isFirst = true; ; isFirst = false) {
      const crashes = isImmediate && isFirst ? 0 : history.addCrash(id)
      const delayMs = crashes === 0 ? 0 : restartDelayMs(crashes)
      const when = delayMs === 0 ? 'now' : `in ${delayMs / 1000} s`
      // The first of consecutive crashes is news; a restart of all apps after a reboot is none.
      await writeReason(id, `${reason}; the app is started again ${when}`, crashes === 1)
      logger.warn({ environmentId: id, reason, crashes, delayMs }, 'app is down')
      if (delayMs > 0) await clock.wait(delayMs, signal)
      const attempt = () => locks.run(id, () => tryRestart(id, reason, signal))
      const isBulk = isImmediate && isFirst
      const result = await (isBulk ? inTurn(environment.projectId, attempt, signal) : attempt())
      if (result.kind === 'up') return result.environment
      reason = result.reason
    }
  }

  async function tryRestart(id: number, reason: string, signal: AbortSignal) {
    const takeReason = () => {
      // The exit event may have arrived after the crash was noticed.
      const seen = exits.get(id) ?? reason
      exits.delete(id)
      return seen
    }
    const result = await restart(id, takeReason, signal)
    if (result.kind === 'up') {
      history.addStart(id)
      await routing.open(result.environment)
    }
    return result
  }

  async function writeReason(id: number, reason: string, isNews: boolean): Promise<void> {
    await store.transaction(async (tx) => {
      const changes = { reason, hostPort: null }
      const options = { at: clock.now(), ifState: ['running'] } as const
      const environment = await tx.environments.update(id, changes, options)
      if (!environment || !isNews) return
      await deps.announce(tx, { kind: 'app.crashed', environment, message: reason })
    })
  }

  /** Pauses the environment of an app that broke a rule: its next request starts the app again. */
  async function pauseFor(id: number, reason: string): Promise<void> {
    logger.warn({ environmentId: id, reason }, 'the app broke a rule: it is paused')
    await locks.run(id, async () => {
      const at = clock.now()
      const row = await store.transaction(async (tx) => {
        const changes = { state: 'paused', hostPort: null, reason } as const
        const paused = await tx.environments.update(id, changes, { at, ifState: ['running'] })
        if (paused) {
          await tx.audit.write(auditRow('paused', { environment: paused }, reason, daemonActor, at))
        }
        return paused
      })
      if (row) await routing.hold(row)
    })
  }

  function recoverExited(id: number): void {
    const recoverRow = async () => {
      const row = await store.environments.find(id)
      const reason = exits.get(id)
      if (row?.state === 'running' && reason !== undefined) recover(row, reason, false)
    }
    recoverRow().catch((err) => logger.error({ err }, 'could not handle a crash'))
  }

  function checkExit({ id }: Environment): void {
    if (exits.has(id)) recoverExited(id)
  }

  return {
    handleExit(exit) {
      if (exit.misuse !== undefined) {
        pauseFor(exit.environmentId, exit.misuse).catch((err) =>
          logger.error({ err }, 'could not pause an app that broke a rule'),
        )
        return
      }
      if (exits.size >= maxExits) exits.clear()
      exits.set(exit.environmentId, exitText(exit))
      recoverExited(exit.environmentId)
    },
    restartNow: (environment) => recover(environment, processGone, true),
    restartCrashed: (environment) => recover(environment, processGone, false),
    forget(environmentId) {
      exits.delete(environmentId)
      history.forget(environmentId)
      recoveries.get(environmentId)?.abort.abort(notRunning(environmentId))
    },
    findRecovery: (environmentId) => recoveries.get(environmentId)?.recovered.promise,
    forgetExit: (environmentId) => void exits.delete(environmentId),
    checkExit,
    stop() {
      isStopped = true
      for (const { abort } of recoveries.values()) {
        abort.abort(new DaemonError('unavailable', 'the daemon is stopping: try again later'))
      }
    },
  }
}

const processGone = 'the process is gone'

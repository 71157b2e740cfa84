import { createDeferred, type Deferred } from '../../async/deferred.ts'
import { createLimit, type Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { restartDelayMs, stableRunMs } from '../../domain/retry.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, InstanceExit, Runtime, Store } from '../../ports.ts'
import type { Logger } from '../ground/deps.ts'
import type { Launcher } from './launcher.ts'
import type { Routing } from './routing.ts'

/** Keeps running environments running: starts them again when their process ends by itself. */
export interface Supervisor {
  exited(exit: InstanceExit): void
  /** A running row without a process, as after a reboot: started at once. */
  revive(environment: Environment): void
  /** The same for one that ran a moment ago: it has crashed, and nobody has said so yet. */
  missed(environment: Environment): void
  /** It is not to run any more, here or at all; what is under way to start it again stops. */
  forget(environmentId: number): void
  /** Resolves when it serves again; undefined when nothing is known to be wrong with it. */
  whenUp(environmentId: number): Promise<Environment> | undefined
  /** To be called before a start … */
  starting(environmentId: number): void
  /** … and once its row says `running`: a process that ended in between is noticed here. */
  confirm(environment: Environment): void
  stop(): void
}

interface Down {
  readonly stopped: AbortController
  readonly up: Deferred<Environment>
}

/** Ends of processes whose rows did not run yet; more than are ever started at once. */
const mostExits = 10_000
/** How many apps start at once after a reboot of the host. */
const revivalsAtOnce = 4

export function createSupervisor(deps: {
  store: Pick<Store, 'environments'>
  runtime: Runtime
  clock: Clock
  launcher: Launcher
  routing: Routing
  locks: Locks
  logger: Logger
}): Supervisor {
  const { store, runtime, clock, launcher, routing, locks, logger } = deps
  const down = new Map<number, Down>()
  const exits = new Map<number, string>()
  const histories = new Map<number, { crashes: number; startedAt: number }>()
  const limit = createLimit(revivalsAtOnce)
  let isStopped = false

  function bringUp(environment: Environment, why: string, isAtOnce: boolean): void {
    const { id } = environment
    if (isStopped || down.has(id)) return
    const state: Down = { stopped: new AbortController(), up: createDeferred<Environment>() }
    // Nobody may be waiting for it.
    state.up.promise.catch(() => undefined)
    down.set(id, state)
    keepTrying(environment, why, isAtOnce, state.stopped.signal)
      .then(
        (row) => state.up.resolve(row),
        (error) => {
          state.up.reject(error)
          if (!state.stopped.signal.aborted) {
            logger.error({ err: error, environmentId: id }, 'a crashed app was given up')
          }
        },
      )
      .finally(() => {
        if (down.get(id) === state) down.delete(id)
      })
      .then(() => state.up.promise.then(confirm, () => undefined))
  }

  async function keepTrying(
    environment: Environment,
    firstWhy: string,
    isAtOnce: boolean,
    signal: AbortSignal,
  ): Promise<Environment> {
    const { id } = environment
    await routing.hold(environment)
    let why = firstWhy
    for (let isFirst = true; ; isFirst = false) {
      const crashes = isAtOnce && isFirst ? 0 : countCrash(id)
      const delayMs = crashes === 0 ? 0 : restartDelayMs(crashes)
      await note(
        id,
        `${why}; it is started again ${delayMs === 0 ? 'now' : `in ${delayMs / 1000} s`}`,
      )
      logger.warn({ environmentId: id, why, crashes, delayMs }, 'app is down')
      if (delayMs > 0) await clock.wait(delayMs, signal)
      const start = () => locks.run(id, () => tryStart(id, why, signal))
      const result = await (isAtOnce && isFirst ? limit(start) : start())
      if (result.kind === 'up') return result.environment
      why = result.why
    }
  }

  async function tryStart(
    id: number,
    why: string,
    signal: AbortSignal,
  ): Promise<{ kind: 'up'; environment: Environment } | { kind: 'failed'; why: string }> {
    signal.throwIfAborted()
    const row = await store.environments.find(id)
    if (row?.state !== 'running') throw notRunning(id)
    // The news of an end that was noticed without it may have come by now.
    const seen = exits.get(id) ?? why
    exits.delete(id)
    const instance = await launcher.boot(row, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      return error instanceof Error ? error : new Error(String(error))
    })
    if (instance instanceof Error) return { kind: 'failed', why: instance.message }
    const changes = {
      hostPort: instance.port,
      containerName: instance.name,
      reason: `${seen}; it was started again`,
    }
    const environment = await store.environments.update(id, changes, {
      at: clock.now(),
      ifState: ['running'],
    })
    if (!environment) {
      await runtime.stop(instance.name, 0)
      throw notRunning(id)
    }
    histories.set(id, { crashes: histories.get(id)?.crashes ?? 0, startedAt: clock.now() })
    await routing.open(environment)
    return { kind: 'up', environment }
  }

  function countCrash(id: number): number {
    const { crashes = 0, startedAt = 0 } = histories.get(id) ?? {}
    const isFresh = crashes > 0 && startedAt > 0 && clock.now() - startedAt >= stableRunMs
    const now = (isFresh ? 0 : crashes) + 1
    histories.set(id, { crashes: now, startedAt: 0 })
    return now
  }

  async function note(id: number, reason: string): Promise<void> {
    const changes = { reason, hostPort: null }
    await store.environments.update(id, changes, { at: clock.now(), ifState: ['running'] })
  }

  async function crashed(id: number): Promise<void> {
    const row = await store.environments.find(id)
    const why = exits.get(id)
    if (row?.state === 'running' && why !== undefined) bringUp(row, why, false)
  }

  function confirm({ id }: Environment): void {
    if (exits.has(id)) crashed(id).catch((err) => logger.error({ err }, 'a crash was not handled'))
  }

  return {
    exited(exit) {
      if (exits.size >= mostExits) exits.clear()
      exits.set(exit.environmentId, exitText(exit))
      crashed(exit.environmentId).catch((err) => logger.error({ err }, 'a crash was not handled'))
    },
    revive: (environment) => bringUp(environment, 'its process was gone', true),
    missed: (environment) => bringUp(environment, 'its process was gone', false),
    forget(environmentId) {
      exits.delete(environmentId)
      histories.delete(environmentId)
      down.get(environmentId)?.stopped.abort(notRunning(environmentId))
    },
    whenUp: (environmentId) => down.get(environmentId)?.up.promise,
    starting: (environmentId) => void exits.delete(environmentId),
    confirm,
    stop() {
      isStopped = true
      for (const { stopped } of down.values()) {
        stopped.abort(new DaemonError('unavailable', 'the daemon is stopping: ask again'))
      }
    },
  }
}

function notRunning(id: number): DaemonError {
  return new DaemonError('conflict', `environment ${id} does not run any more`)
}

function exitText({ code, signal }: InstanceExit): string {
  if (signal !== null) return `it was ended by ${signal}`
  return code === null ? 'it ended' : `it exited with code ${code}`
}

import { createLocks, type Locks } from '../../async/locks.ts'
import { instanceName, logKey } from '../../domain/process-names.ts'
import type { Environment, LaunchProcess } from '../../domain/records.ts'
import { restartDelayMs } from '../../domain/retry.ts'
import type { Clock, InstanceExit, Logger, Logs, Runtime, Store } from '../../ports.ts'
import { createCrashHistory } from './crash-history.ts'
import { exitText } from './exit-text.ts'
import type { Launcher } from './launcher.ts'
import type { MovingApps } from './moving-apps.ts'
import { stopGraceMs } from './retire.ts'

/** Runs the processes beside the web process of an environment, such as workers, while the environment is running. */
export interface Processes {
  /**
   * Starts the processes of a running environment, or adopts running ones. Returns at once: a process that can't start is
   * tried again with back-off, and its reason is in the environment.
   */
  start(environment: Environment): void
  /** Stops the processes of an environment. Resolves when they have ended. `remove`: for good. */
  stop(environmentId: number, how: 'stop' | 'remove'): Promise<void>
  handleExit(exit: InstanceExit): void
  /** Starts the processes of running environments, and removes processes of environments that do not run. */
  reconcile(): Promise<void>
  /** Cancels restarts. The processes run on. */
  close(): void
}

interface Entry {
  readonly environment: Environment
  readonly process: LaunchProcess
  readonly abort: AbortController
}

export function createProcesses(deps: {
  store: Store
  runtime: Pick<Runtime, 'list' | 'stop' | 'remove'>
  clock: Clock
  launcher: Pick<Launcher, 'startProcess'>
  /** The locks of environments. */
  locks: Locks
  logs: Pick<Logs, 'end'>
  logger: Logger
  movingApps: Pick<MovingApps, 'has'>
}): Processes {
  const { store, runtime, clock, launcher, logger, locks: environmentLocks } = deps
  const entries = new Map<string, Entry>()
  const history = createCrashHistory({ clock })
  // Serializes starts and stops of one process, and writes of one environment's reasons.
  const locks = createLocks()
  let isClosed = false

  function keepUp(name: string, entry: Entry, firstReason: string | undefined): void {
    const { environment, abort } = entry
    tryStarts(name, entry, firstReason).catch((err) => {
      if (abort.signal.aborted) return
      logger.error({ err, environmentId: environment.id, name }, 'gave up starting a process')
    })
  }

  async function tryStarts(name: string, entry: Entry, firstReason: string | undefined) {
    const { environment, process, abort } = entry
    const { signal } = abort
    let reason = firstReason
    for (;;) {
      if (reason !== undefined) {
        const delayMs = restartDelayMs(history.addCrash(name))
        const fault = `${reason}; it is started again in ${delayMs / 1000} s`
        logger.warn({ environmentId: environment.id, name, reason, delayMs }, 'a process is down')
        await writeFault(environment.id, process.name, fault, signal)
        await clock.wait(delayMs, signal)
      }
      try {
        await locks.run(name, async () => {
          signal.throwIfAborted()
          await launcher.startProcess(environment, process)
        })
        history.addStart(name)
        await writeFault(environment.id, process.name, undefined, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        reason = error instanceof Error ? error.message : String(error)
      }
    }
  }

  async function writeFault(
    id: number,
    process: string,
    fault: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    await locks.run(id, async () => {
      const row = await store.environments.find(id)
      if (!row || signal.aborted || row.processFaults?.[process] === fault) return
      const { [process]: _, ...others } = row.processFaults ?? {}
      const processFaults = fault === undefined ? others : { ...others, [process]: fault }
      await store.environments.update(id, { processFaults }, { at: clock.now() })
    })
  }

  function start(environment: Environment): void {
    if (isClosed || deps.movingApps.has(environment.id)) return
    for (const process of environment.launch?.processes ?? []) {
      const name = instanceName(environment.id, process.name)
      if (entries.has(name)) continue
      const entry: Entry = { environment, process, abort: new AbortController() }
      entries.set(name, entry)
      keepUp(name, entry, undefined)
    }
  }

  function lacksProcess({ id, launch }: Environment): boolean {
    const processes = launch?.processes ?? []
    return processes.some(({ name }) => !entries.has(instanceName(id, name)))
  }

  /** Returns the names of the processes of an environment that run, without those of schedules. */
  async function runningOf(environmentId: number): Promise<string[]> {
    const instances = [...(await runtime.list()).values()]
    return instances
      .filter((each) => each.environmentId === environmentId && isOwn(each.process))
      .map(({ name }) => name)
  }

  /** Returns the names of all processes of an environment: a runtime may retain stopped ones. */
  async function knownOf(environmentId: number): Promise<string[]> {
    const row = await store.environments.find(environmentId)
    return (row?.launch?.processes ?? []).map(({ name }) => instanceName(environmentId, name))
  }

  async function stop(environmentId: number, how: 'stop' | 'remove'): Promise<void> {
    const own = [...entries].filter(([, { environment }]) => environment.id === environmentId)
    for (const [name, { abort }] of own) {
      abort.abort(new Error('the environment does not run any more'))
      entries.delete(name)
      history.forget(name)
    }
    const names = new Set([...own.map(([name]) => name), ...(await runningOf(environmentId))])
    if (how === 'remove') for (const name of await knownOf(environmentId)) names.add(name)
    await Promise.all(
      [...names].map((name) => locks.run(name, () => runtime[how](name, stopGraceMs))),
    )
    if (how === 'remove')
      for (const [, { process }] of own) deps.logs.end(logKey(environmentId, process.name))
    await locks.run(environmentId, async () => {
      const row = await store.environments.find(environmentId)
      if (!row || Object.keys(row.processFaults ?? {}).length === 0) return
      await store.environments.update(environmentId, { processFaults: {} }, { at: clock.now() })
    })
  }

  return {
    start,
    stop,
    handleExit(exit) {
      const entry = entries.get(exit.name)
      if (!entry || isClosed) return
      keepUp(exit.name, entry, exitText(exit, entry.process.name))
    },
    async reconcile() {
      for (const row of await store.environments.listByState(['running'])) {
        if (!lacksProcess(row)) continue
        await environmentLocks.run(row.id, async () => {
          const now = await store.environments.find(row.id)
          if (now?.state === 'running') start(now)
        })
      }
      const own = [...(await runtime.list()).values()].filter(({ process }) => isOwn(process))
      for (const id of new Set(own.map(({ environmentId }) => environmentId))) {
        const row = await store.environments.find(id)
        if (row?.state !== 'running') await stop(id, 'remove')
      }
    },
    close() {
      isClosed = true
      for (const { abort } of entries.values()) abort.abort(new Error('the daemon is stopping'))
    },
  }
}

/** Returns true for a process of `deploy.processes`: names of schedules have an underscore. */
function isOwn(process: string | undefined): boolean {
  return process !== undefined && !process.includes('_')
}

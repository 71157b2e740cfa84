import type { ChildProcess } from 'node:child_process'
import type { Clock, Instance, InstanceExit } from '../../ports.ts'
import type { AppLimits } from './cgroups.ts'
import type { ExitWatch } from './exit-watch.ts'
import type { InstanceFiles } from './instance-file.ts'
import { type Family, killMembers, membersOf, send } from './members.ts'
import type { PortPool } from './port-pool.ts'
import { isAlive, type ProcessStat } from './proc.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

/** An app whose processes may still exist. */
export interface RunningApp {
  readonly instance: Instance
  readonly family: Family
  /** Resolves when its first process has ended and nothing of it is left; rejects when something can't be ended. */
  readonly gone: Promise<InstanceExit>
  /** Somebody asked for its end: until then what is left of the group may finish its work. */
  stopBy: number | null
}

export interface RunningApps {
  find(name: string): RunningApp | undefined
  /** Those whose first process runs. */
  list(): ReadonlyMap<string, Instance>
  /**
   * Takes charge of an app: from now on its end is noticed and cleaned up after. `child` is null for one that was adopted;
   * `written` resolves when it is written down.
   */
  add(
    instance: Instance,
    family: Family,
    options: { child: ChildProcess | null; written: Promise<void> },
  ): void
  /** Ends what is left of an app whose first process is not there any more. */
  cleanUp(name: string, environmentId: number, family: Family): Promise<void>
  onExit(listener: (exit: InstanceExit) => void): void
}

const longestLookMs = 100

export function createRunningApps({
  clock,
  files,
  ports,
  watch,
  limits,
  logs,
  report,
}: {
  clock: Clock
  files: InstanceFiles
  ports: PortPool
  watch: ExitWatch
  limits: AppLimits
  logs?: RuntimeLogs
  report: (note: string, error?: unknown) => void
}): RunningApps {
  const running = new Map<string, RunningApp>()
  const listeners: ((exit: InstanceExit) => void)[] = []

  /** An app that is being stopped may end by itself: a leader that goes first leaves others who finish their requests. */
  async function membersEnded(app: RunningApp): Promise<void> {
    const told = new Set<number>()
    let members: ProcessStat[] = []
    for (let waitMs = 5; app.stopBy !== null && clock.now() < app.stopBy; waitMs *= 1.5) {
      members = await membersOf(app.family, members)
      if (members.length === 0) return
      for (const { pid, group } of members) {
        // The group was told when the stop began.
        if (group !== app.family.pid && !told.has(pid)) send(pid, 'SIGTERM')
        told.add(pid)
      }
      await clock.wait(Math.min(waitMs, longestLookMs))
    }
  }

  async function cleanUp(name: string, environmentId: number, family: Family): Promise<void> {
    await killMembers(family, clock)
    limits.remove(name)
    const note = (what: string) => (error: unknown) => report(`${name}: ${what}`, error)
    await logs?.detach(environmentId).catch(note('its last output could not be read'))
    await files.remove(name).catch(note('its file could not be removed'))
  }

  /** An app that can't be ended stays in charge: nothing else may start under its name. */
  async function end(
    app: RunningApp,
    exit: InstanceExit,
    written: Promise<void>,
  ): Promise<InstanceExit> {
    await written
    await membersEnded(app)
    await cleanUp(exit.name, exit.environmentId, app.family)
    running.delete(exit.name)
    ports.release(app.instance.port)
    // Who started it knows the instance by then.
    await new Promise(setImmediate)
    if (app.stopBy === null) for (const listener of listeners) listener(exit)
    return exit
  }

  return {
    find: (name) => running.get(name),
    list: () =>
      new Map(
        [...running]
          .filter(([, { family }]) => isAlive(family))
          .map(([name, { instance }]) => [name, instance]),
      ),
    cleanUp,
    onExit: (listener) => void listeners.push(listener),
    add(instance, family, { child, written }) {
      const { name, environmentId } = instance
      const ended = new Promise<InstanceExit>((resolve) => {
        const by = (code: number | null, signal: string | null) =>
          resolve({ name, environmentId, code, signal })
        if (child) child.once('exit', by)
        else watch.add(family, () => by(null, null))
      })
      const app: RunningApp = {
        instance,
        family,
        gone: ended.then((exit) => end(app, exit, written)),
        stopBy: null,
      }
      app.gone.catch((error) => report(`${name} has ended, but not all of it`, error))
      running.set(name, app)
    },
  }
}

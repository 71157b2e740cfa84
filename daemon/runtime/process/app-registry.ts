import type { ChildProcess } from 'node:child_process'
import { type LogKey, logKey } from '../../domain/process-names.ts'
import type { Clock, GroupEnd, InstanceExit } from '../../ports.ts'
import { type AppIdentity, type AppProcesses, sendSignal } from './app-processes.ts'
import type { ExitWatch } from './exit-watch.ts'
import type { InstanceFiles } from './instance-file.ts'
import type { PortPool } from './port-pool.ts'
import { isAlive, type ProcessStat } from './proc.ts'
import type { ProcessInstance } from './process-instance.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

/** An app whose processes may still exist. */
export interface RunningApp {
  readonly instance: ProcessInstance
  readonly identity: AppIdentity
  /** Resolves when no process of the app is left. Rejects if a process survives SIGKILL. */
  readonly ended: Promise<InstanceExit>
  /** Set by a stop: time until which the app's processes may finish their work. */
  stopDeadline: number | null
}

/** Registry of apps whose processes may still exist. */
export interface AppRegistry {
  find(name: string): RunningApp | undefined
  /** Returns the apps whose leader is alive. */
  list(): ReadonlyMap<string, ProcessInstance>
  /** Returns the apps whose leader is alive, with their identities. */
  alive(): readonly RunningApp[]
  /** Kills an app that broke a rule. Resolves when it has ended; its exit event has the reason. */
  endForMisuse(app: RunningApp, reason: string): Promise<void>
  /**
   * Registers an app; when the app ends, its processes, files and port are cleaned up. `child` is null for an adopted
   * app. `persisted` resolves when the instance file is persisted.
   */
  add(
    instance: ProcessInstance,
    identity: AppIdentity,
    options: { child: ChildProcess | null; persisted: Promise<void> },
  ): void
  /** Kills the remaining processes of an app whose leader has ended, and removes its files. */
  cleanUp(name: string, key: LogKey, identity: AppIdentity): Promise<GroupEnd>
  onExit(listener: (exit: InstanceExit) => void): void
}

const maxPollMs = 100

export function createAppRegistry({
  clock,
  files,
  ports,
  watch,
  processes,
  logs,
  report,
}: {
  clock: Clock
  files: InstanceFiles
  ports: PortPool
  watch: ExitWatch
  processes: AppProcesses
  logs?: RuntimeLogs
  report: (note: string, error?: unknown) => void
}): AppRegistry {
  const running = new Map<string, RunningApp>()
  const listeners: ((exit: InstanceExit) => void)[] = []
  const misuses = new Map<string, string>()

  /** Waits for the processes of an app that is being stopped. The leader may exit before its children finish. */
  async function awaitProcessEnds(app: RunningApp): Promise<void> {
    const signaled = new Set<number>()
    let left: ProcessStat[] = []
    for (
      let waitMs = 5;
      app.stopDeadline !== null && clock.now() < app.stopDeadline;
      waitMs *= 1.5
    ) {
      left = await processes.find(app.identity, left)
      if (left.length === 0) return
      for (const { pid, group } of left) {
        // The leader's process group received the signal when the stop began.
        if (group !== app.identity.pid && !signaled.has(pid)) {
          sendSignal(pid, 'SIGTERM')
          // A held app receives no other signal.
          sendSignal(pid, 'SIGCONT')
        }
        signaled.add(pid)
      }
      await clock.wait(Math.min(waitMs, maxPollMs))
    }
  }

  async function cleanUp(name: string, key: LogKey, identity: AppIdentity): Promise<GroupEnd> {
    const groupEnd = await processes.kill(identity)
    const reportFault = (message: string) => (error: unknown) =>
      report(`${name}: ${message}`, error)
    await logs?.detach(key).catch(reportFault("can't read the app's last output"))
    await files.remove(name).catch(reportFault("can't remove the instance file"))
    return groupEnd
  }

  /** If a process survives SIGKILL, the app stays registered, so that no second app starts under its name. */
  async function end(
    app: RunningApp,
    leaderExit: InstanceExit,
    persisted: Promise<void>,
  ): Promise<InstanceExit> {
    await persisted
    await awaitProcessEnds(app)
    const { name, environmentId, process } = leaderExit
    const key = logKey(environmentId, process)
    const { outOfMemoryMb } = await cleanUp(name, key, app.identity)
    const exit = outOfMemoryMb === null ? leaderExit : { ...leaderExit, outOfMemoryMb }
    running.delete(name)
    ports.release(app.instance.port)
    // Delays the exit event, so that `start` returns the instance first.
    await new Promise(setImmediate)
    if (app.stopDeadline === null) for (const listener of listeners) listener(exit)
    return exit
  }

  function misuseOf(name: string): Pick<InstanceExit, 'misuse'> {
    const misuse = misuses.get(name)
    return misuse === undefined ? {} : { misuse }
  }

  return {
    find: (name) => running.get(name),
    list: () =>
      new Map(
        [...running]
          .filter(([, { identity }]) => isAlive(identity))
          .map(([name, { instance }]) => [name, instance]),
      ),
    alive: () => [...running.values()].filter(({ identity }) => isAlive(identity)),
    async endForMisuse(app, reason) {
      misuses.set(app.instance.name, reason)
      sendSignal(-app.identity.pid, 'SIGKILL')
      await app.ended.catch(() => {})
      misuses.delete(app.instance.name)
    },
    cleanUp,
    onExit: (listener) => void listeners.push(listener),
    add(instance, identity, { child, persisted }) {
      const { name, environmentId, process } = instance
      const subject = { name, environmentId, ...(process !== undefined && { process }) }
      const ended = new Promise<InstanceExit>((resolve) => {
        const resolveExit = (code: number | null, signal: string | null) =>
          resolve({ ...subject, code, signal, ...misuseOf(name) })
        const hasExited = child && (child.exitCode !== null || child.signalCode !== null)
        if (hasExited) resolveExit(child.exitCode, child.signalCode)
        else if (child) child.once('exit', resolveExit)
        else watch.add(identity, () => resolveExit(null, null))
      })
      const app: RunningApp = {
        instance,
        identity,
        ended: ended.then((exit) => end(app, exit, persisted)),
        stopDeadline: null,
      }
      app.ended.catch((error) => report(`${name} has ended, but its clean-up failed`, error))
      running.set(name, app)
    },
  }
}

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocks } from '../async/locks.ts'
import type { LogKey } from '../domain/process-names.ts'
import type { Clock, LogLine, Logs } from '../ports.ts'
import { createAppTailers } from './app-tailers.ts'
import { type EnvironmentLog, openEnvironmentLog } from './environment-log.ts'
import { createFloodShares } from './flood-shares.ts'
import { followLog } from './follow.ts'
import { type FreeFileRange, freeFileRange as freeRangeOnDisk } from './free-file-range.ts'
import { defaultLimits, type LogLimits } from './limits.ts'
import { createOpenLogs } from './open-logs.ts'
import type { RawOutput } from './raw-files.ts'
import type { NewLine } from './record.ts'
import { createSink } from './sink.ts'
import type { TailerDeps } from './tailer.ts'

/** The logs, with the operations that the process runtime needs. */
export interface ProcessLogs extends Logs {
  /** Opens empty output files for an app that is about to start, and starts reading them. */
  openRaw(key: LogKey): Promise<RawOutput>
  /** Continues reading a running app's output at the offset where the previous daemon stopped. */
  attach(key: LogKey): Promise<void>
  /** Opens the log for lines that have times of their own, such as those of an engine. Close it once. */
  openLines(key: LogKey): Promise<{
    newest(count: number): Promise<LogLine[]>
    /** Resolves when the lines are written. */
    add(lines: readonly NewLine[]): Promise<void>
    close(): Promise<void>
  }>
  /** Reads the remaining output of an exited app and closes its files. No-op if not attached. */
  detach(key: LogKey): Promise<void>
  /**
   * Sets the listener that holds an app, or lets it continue: an app that writes too fast would fill the disk and take
   * the time of the other apps.
   */
  onFlood(listener: (key: LogKey, isHeld: boolean) => void): void
  /** Closes all files and ends all followers. The next daemon reads later output of the apps. */
  close(): Promise<void>
}

/**
 * Stores the output of environments, each in a subfolder of `folder`. An environment without readers and writers has no
 * file handle, timer or watcher. Disk errors go to `report`; logging continues.
 */
export function createLogs({
  folder,
  clock,
  limits: given = {},
  report = () => {},
  freeFileRange = freeRangeOnDisk,
}: {
  folder: string
  clock: Clock
  limits?: Partial<LogLimits>
  report?: (error: unknown) => void
  freeFileRange?: FreeFileRange
}): ProcessLogs {
  const limits = { ...defaultLimits, ...given }
  const shares = createFloodShares(clock.monotonic)
  let hold: (key: LogKey, isHeld: boolean) => void = () => {}
  const locks = createLocks()
  const deps: Omit<TailerDeps, 'folder' | 'log' | 'key'> = {
    ...{ limits, clock, report, shares },
    // Flooding apps would otherwise start a program many times a second each.
    freeFileRange: (...range) => locks.run('disk', () => freeFileRange(...range)),
    hold: (key: LogKey, isHeld: boolean) => hold(key, isHeld),
  }
  const logs = createOpenLogs((key) => openEnvironmentLog(folder, key, deps))
  const tailers = createAppTailers(logs, deps)

  /** Returns the logs of an environment: its own, and those of its other processes. */
  async function keysOf(environmentId: number): Promise<LogKey[]> {
    const names = await readdir(folder).catch(() => [])
    return [environmentId, ...names.filter((name) => name.startsWith(`${environmentId}.`))]
  }

  return {
    openRaw: tailers.openRaw,
    attach: tailers.attach,
    detach: tailers.detach,
    async openLines(key) {
      const { environment, release } = await logs.acquire(key)
      return { newest: environment.log.newest, add: environment.log.add, close: release }
    },
    onFlood(listener) {
      hold = listener
    },
    sink(key, stream) {
      const opening = logs.acquire(key)
      const environment = opening.then((lease) => lease.environment)
      environment.catch(report)
      const sink = createSink(environment, { ...deps, stream, lineBytes: limits.lineBytes })
      let ending: Promise<void> | undefined
      return {
        write(chunk, source) {
          if (!ending) sink.write(chunk, source)
        },
        end() {
          ending ??= sink.end().then(() =>
            opening.then(
              ({ release }) => release(),
              () => {},
            ),
          )
          return ending
        },
      }
    },
    tail: (key, lines) => logs.use(key, ({ log }) => log.newest(Math.floor(lines))),
    async *follow(key, afterId, signal, newest) {
      const { environment, release } = await logs.acquire(key)
      const follower = { isOver: false }
      environment.followers.add(follower)
      try {
        const isOver = () => follower.isOver
        yield* followLog(environment.log, { afterId, newest, isOver, signal, clock })
      } finally {
        environment.followers.delete(follower)
        await release()
      }
    },
    end(key) {
      void logs.peek(key)?.then(endFollowers, () => {})
    },
    async remove(environmentId) {
      for (const key of await keysOf(environmentId)) {
        await tailers.detach(key)
        const environment = await logs.peek(key)?.catch(() => undefined)
        logs.forget(key)
        if (environment) endFollowers(environment)
        await rm(join(folder, String(key)), { recursive: true, force: true, maxRetries: 3 })
      }
    },
    async close() {
      await tailers.detachAll()
      for (const environment of await logs.all()) endFollowers(environment)
    },
  }
}

function endFollowers({ followers, log }: EnvironmentLog): void {
  for (const follower of followers) follower.isOver = true
  log.wakeReaders()
}

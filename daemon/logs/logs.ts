import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Logs } from '../ports.ts'
import { createAppTailers } from './app-tailers.ts'
import { type EnvironmentLog, openEnvironmentLog } from './environment-log.ts'
import { followLog } from './follow.ts'
import { type FreeFileRange, freeFileRange as freeRangeOnDisk } from './free-file-range.ts'
import { defaultLimits, type LogLimits } from './limits.ts'
import { createOpenLogs } from './open-logs.ts'
import type { RawOutput } from './raw-files.ts'
import { createSink } from './sink.ts'

/** Logs, with the operations of the process runtime. */
export interface ProcessLogs extends Logs {
  /** Opens empty output files for an app that is about to start, and starts to read them. */
  openRaw(environmentId: number): Promise<RawOutput>
  /** Continues to read a running app's output where the previous daemon stopped. */
  attach(environmentId: number): Promise<void>
  /** Reads the rest of an ended app's output and closes its files. No-op if not attached. */
  detach(environmentId: number): Promise<void>
  /** Closes all files and ends all followers. The next daemon reads what apps write from now on. */
  close(): Promise<void>
}

/**
 * Stores the output of environments, one subfolder of `folder` each. An environment without readers and writers has no
 * file handle, timer or watcher. `report` gets disk errors; logging continues after them.
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
  const deps = { limits, clock, report, freeFileRange }
  const logs = createOpenLogs((environmentId) => openEnvironmentLog(folder, environmentId, deps))
  const tailers = createAppTailers(logs, deps)

  return {
    openRaw: tailers.openRaw,
    attach: tailers.attach,
    detach: tailers.detach,
    sink(environmentId, stream) {
      const opening = logs.acquire(environmentId)
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
    tail: (environmentId, lines) =>
      logs.use(environmentId, ({ log }) => log.newest(Math.floor(lines))),
    async *follow(environmentId, afterId, signal) {
      const { environment, release } = await logs.acquire(environmentId)
      const follower = { isOver: false }
      environment.followers.add(follower)
      try {
        const isOver = () => follower.isOver
        yield* followLog(environment.log, { afterId, isOver, signal, clock })
      } finally {
        environment.followers.delete(follower)
        await release()
      }
    },
    end(environmentId) {
      void logs.peek(environmentId)?.then(endFollowers, () => {})
    },
    async remove(environmentId) {
      await tailers.detach(environmentId)
      const environment = await logs.peek(environmentId)?.catch(() => undefined)
      logs.forget(environmentId)
      if (environment) endFollowers(environment)
      await rm(join(folder, String(environmentId)), { recursive: true, force: true, maxRetries: 3 })
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

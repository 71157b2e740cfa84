import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Logs } from '../ports.ts'
import { createAttachments } from './attachments.ts'
import { type EnvironmentLog, openEnvironmentLog } from './environment-log.ts'
import { followLog } from './follow.ts'
import { defaultLimits, type LogLimits } from './limits.ts'
import { createOpenLogs } from './open-logs.ts'
import { type PunchHole, punchHole as punchHoleOnDisk } from './punch-hole.ts'
import type { RawOutput } from './raw-files.ts'
import { createSink } from './sink.ts'

/** The logs, and what the process runtime needs of them. */
export interface ProcessLogs extends Logs {
  /** Files for an app that is about to start; from now on what it writes becomes lines. */
  openRaw(environmentId: number): Promise<RawOutput>
  /** Reads on where a daemon before this one stopped; the app runs already. */
  attach(environmentId: number): Promise<void>
  /** The app has ended: takes the last of its output and lets go of its files. Not attached: nothing to do. */
  detach(environmentId: number): Promise<void>
  /** The daemon ends: what apps write from now on is read by the next one. */
  close(): Promise<void>
}

/**
 * Keeps the output of environments in `folder`, one folder each. An environment that nobody reads or writes costs
 * nothing here: no file handle, timer or watch. `report` is told of faults of the disk, after which logging goes on.
 */
export function createLogs({
  folder,
  clock,
  limits: given = {},
  report = () => {},
  punchHole = punchHoleOnDisk,
}: {
  folder: string
  clock: Clock
  limits?: Partial<LogLimits>
  report?: (error: unknown) => void
  punchHole?: PunchHole
}): ProcessLogs {
  const limits = { ...defaultLimits, ...given }
  const deps = { limits, clock, report, punchHole }
  const logs = createOpenLogs((environmentId) => openEnvironmentLog(folder, environmentId, deps))
  const attachments = createAttachments(logs, deps)

  return {
    openRaw: attachments.openRaw,
    attach: attachments.attach,
    detach: attachments.detach,
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
      await attachments.detach(environmentId)
      const environment = await logs.peek(environmentId)?.catch(() => undefined)
      logs.forget(environmentId)
      if (environment) endFollowers(environment)
      await rm(join(folder, String(environmentId)), { recursive: true, force: true, maxRetries: 3 })
    },
    async close() {
      await attachments.detachAll()
      for (const environment of await logs.all()) endFollowers(environment)
    },
  }
}

function endFollowers({ followers, log }: EnvironmentLog): void {
  for (const follower of followers) follower.isOver = true
  log.wakeReaders()
}

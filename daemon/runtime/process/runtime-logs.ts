import type { LogLine } from '../../ports.ts'

/** What the runtime needs of the logs. */
export interface RuntimeLogs {
  /** Files for an app that is about to start; `close` gives them up here, the app has its own copies by then. */
  openRaw(
    environmentId: number,
  ): Promise<{ stdout: number; stderr: number; close(): Promise<void> }>
  /** Reads on what an app writes that was started by a daemon before this one. */
  attach(environmentId: number): Promise<void>
  /** The app has ended; resolves when all that it wrote is in the log. */
  detach(environmentId: number): Promise<void>
  tail(environmentId: number, lines: number): Promise<LogLine[]>
}

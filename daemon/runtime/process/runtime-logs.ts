import type { LogLine } from '../../ports.ts'

/** Log operations that the runtime needs. */
export interface RuntimeLogs {
  /**
   * Opens the output files of an app that is about to start. Close them after the spawn; the app keeps its own copies.
   */
  openRaw(
    environmentId: number,
  ): Promise<{ stdout: number; stderr: number; close(): Promise<void> }>
  /** Continues reading the output of an adopted app. */
  attach(environmentId: number): Promise<void>
  /** Call after the app has ended. Resolves when the log contains all its output. */
  detach(environmentId: number): Promise<void>
  /** Sets the listener that holds an app that writes too fast, or lets it continue. */
  onFlood(listener: (environmentId: number, isHeld: boolean) => void): void
  tail(environmentId: number, lines: number): Promise<LogLine[]>
}

import type { LogKey } from '../../domain/process-names.ts'
import type { LogLine } from '../../ports.ts'

/** Log operations that the runtime needs. */
export interface RuntimeLogs {
  /**
   * Opens the output files of an app that is about to start. Close them after the spawn; the app keeps its own copies.
   */
  openRaw(key: LogKey): Promise<{ stdout: number; stderr: number; close(): Promise<void> }>
  /** Continues reading the output of an adopted app. */
  attach(key: LogKey): Promise<void>
  /** Call after the app has ended. Resolves when the log contains all its output. */
  detach(key: LogKey): Promise<void>
  /** Sets the listener that holds an app that writes too fast, or lets it continue. */
  onFlood(listener: (key: LogKey, isHeld: boolean) => void): void
  tail(key: LogKey, lines: number): Promise<LogLine[]>
}

import type { LogKey } from '../domain/process-names.ts'
import type { OutputSink } from './builder.ts'

export interface LogLine {
  /** Id of the line: a byte offset in the environment's log, which grows and is never reused. */
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

/** Output of builds and apps, with a size limit on disk for each environment. */
export interface Logs {
  /** Returns a sink that splits output into timestamped lines. */
  sink(key: LogKey, stream: LogLine['stream']): { write: OutputSink; end(): Promise<void> }
  /** Returns the last lines, oldest first. */
  tail(key: LogKey, lines: number): Promise<LogLine[]>
  /**
   * Yields lines after `afterId` (null: the last `newest`, by default 50), then new lines, until `signal` or `end`.
   * Throws for a slow reader.
   */
  follow(
    key: LogKey,
    afterId: number | null,
    signal: AbortSignal,
    newest?: number,
  ): AsyncIterable<LogLine>
  /** Ends all `follow` streams of a log. */
  end(key: LogKey): void
  /** Removes the logs of all processes of an environment. */
  remove(environmentId: number): Promise<void>
}

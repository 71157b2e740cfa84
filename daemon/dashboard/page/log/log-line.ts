/** A line of an environment's output, as the daemon streams it. Ids grow. */
export interface LogLine {
  readonly id: number
  readonly ts: string
  readonly stream: 'stdout' | 'stderr' | 'build'
  readonly line: string
}

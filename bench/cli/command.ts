/** A command line whose time is compared with `node -e 0`. */
export interface TimedCommand {
  readonly key: string
  /** The command as a user types it. */
  readonly title: string
  readonly program: Program
  /** Arguments after `node`. */
  readonly argv: readonly string[]
  /** Expected exit code. Any other code fails the run: a failing command must not count as fast. */
  readonly exitCode: number
  /** Prepares the existing, empty folder before the run; not timed. */
  readonly prepare?: (folder: string) => Promise<void>
  /** Working directory, relative to that folder. */
  readonly cwd?: string
  /** Throws if the output of the command is wrong; not timed. */
  readonly verify?: (folder: string) => Promise<void>
  /** Maximum time, as a multiple of `node -e 0`. */
  readonly target?: number
}

export type Program = 'node' | 'strata' | 'nest'

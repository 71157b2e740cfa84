/** One command line to time, against `node -e 0`. */
export interface TimedCommand {
  readonly key: string
  /** As a person would type it. */
  readonly title: string
  readonly program: Program
  /** Arguments after `node`. */
  readonly argv: readonly string[]
  /** Any other exit code fails the run: what did not do its work must not look fast. */
  readonly exitCode: number
  /** Makes the folder ready to run in; not timed. `folder` exists and is empty. */
  readonly prepare?: (folder: string) => Promise<void>
  /** Where under that folder the command runs. */
  readonly cwd?: string
  /** Throws when the command did not do its work; not timed. */
  readonly verify?: (folder: string) => Promise<void>
  /** Most times `node -e 0` that it may take. */
  readonly target?: number
}

export type Program = 'node' | 'strata' | 'nest'

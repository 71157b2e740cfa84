/** Kinds of failure of a generator run. `src/cli/report-error.ts` maps each kind to an exit code. */
export type StrataErrorKind = 'usage' | 'conflict' | 'not-in-project' | 'check-failed' | 'failure'

export class StrataError extends Error {
  readonly kind: StrataErrorKind
  /** The invalid part of the input. The command line prints the input with a caret below this part. */
  readonly place: Place | undefined
  /** Lines printed below the message: hunks of a conflict, lines to add by hand. */
  readonly details: readonly string[]

  /** An expected failure. `message` is lower case and states the fault and the remedy. */
  constructor(
    kind: StrataErrorKind,
    message: string,
    options: { place?: Place; details?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StrataError'
    this.kind = kind
    this.place = options.place
    this.details = options.details ?? []
  }
}

/** A span of the user's input. `start` and `length` count UTF-16 units of `input`. */
export interface Place {
  readonly input: string
  readonly start: number
  readonly length: number
}

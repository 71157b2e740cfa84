/** What can go wrong in a generator run, as a person meets it. `src/cli/exit.ts` maps each kind to its exit code. */
export type StrataErrorKind = 'usage' | 'conflict' | 'not-in-project' | 'check-failed' | 'failure'

export class StrataError extends Error {
  readonly kind: StrataErrorKind
  /** Where in the input the fault is; printed as the input with a caret under the place. */
  readonly place: Place | undefined
  /** Further lines for a person: hunks of a conflict, lines to add by hand. */
  readonly details: readonly string[]

  /** `message` is lower case, says what happened and what to do. */
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

/** A running application of any origin on any store. */
export interface AppUnderTest {
  /** Its origin, `http://host:port`. */
  readonly baseUrl: string
  /** Headers of every request without own headers: the credential of a caller. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One rule of the contract, as data: vitest, the command line and the mutant tests read the
 * same tables. `title` is a sentence, unique in its suite; `run` throws if the rule is broken.
 * Checks of one application run sequentially, because they share lists and totals.
 */
export interface Check {
  readonly title: string
  readonly run: (app: AppUnderTest) => Promise<void>
}

export interface Outcome {
  readonly title: string
  /** Undefined if the check passed. */
  readonly failure?: unknown
}

/** Runs one check and returns its outcome. Never rejects. */
export async function outcomeOf(check: Check, app: AppUnderTest): Promise<Outcome> {
  try {
    await check.run(app)
    return { title: check.title }
  } catch (failure) {
    return { title: check.title, failure }
  }
}

/** An application that is already running, written by anybody, on any store. */
export interface AppUnderTest {
  /** Its origin, `http://host:port`. */
  readonly baseUrl: string
  /** Go with every request that names no others: the credential of a caller. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One rule of the contract, as data: vitest, the command line and the mutant tests all read the
 * same tables. `title` is a sentence and unique in its suite; `run` throws when the rule is broken.
 * Checks of one application run one after the other, because lists and totals are shared.
 */
export interface Check {
  readonly title: string
  readonly run: (app: AppUnderTest) => Promise<void>
}

export interface Outcome {
  readonly title: string
  /** Absent: the check passed. */
  readonly failure?: unknown
}

/** Runs one check and returns what came of it; never rejects. */
export async function outcomeOf(check: Check, app: AppUnderTest): Promise<Outcome> {
  try {
    await check.run(app)
    return { title: check.title }
  } catch (failure) {
    return { title: check.title, failure }
  }
}

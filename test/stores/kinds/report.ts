import * as z from 'zod'

/** The test results of one store kind. */
export interface Row {
  readonly kind: string
  /** The name and version of the server. Undefined if no test ran on a server. */
  readonly server?: string | undefined
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The number of the applications' own tests that passed on the server, not counted in `passed`. */
  readonly own: number
  readonly seconds: number
  /**
   * Substitutes for a missing server, with the number of tests that passed on each. `passed`
   * includes these tests.
   */
  readonly standIns: Tally
  /** Reasons for skipping, with the number of tests skipped for each. */
  readonly reasons: Tally
  /** A failure outside the tests. */
  readonly problem?: string
}

export type Tally = readonly (readonly [text: string, count: number])[]

/**
 * Returns the row for a Vitest run. `report` is the text of its JSON report, or undefined if Vitest wrote none. A
 * nonzero exit code counts as a failure even if no test failed.
 */
export function rowOf(
  kind: string,
  run: { readonly report: string | undefined; readonly code: number; readonly seconds: number },
): Row {
  const tests = run.report === undefined ? [] : testsOf(run.report)
  const count = (...statuses: readonly string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).length
  const failed = count('failed')
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const row = {
    kind,
    server: tests.find(({ meta }) => meta.server !== undefined)?.meta.server,
    passed: count('passed'),
    failed,
    skipped: skipped.length,
    own: tests.reduce((sum, { meta }) => sum + (meta.own ?? 0), 0),
    seconds: run.seconds,
    standIns: tally(
      tests.flatMap(({ status, meta }) =>
        status === 'passed' && meta.standIn !== undefined ? [meta.standIn] : [],
      ),
    ),
    reasons: tally(skipped.map(({ meta }) => meta.reason ?? 'the set-up failed')),
  }
  if (run.code === 0 && tests.length > 0) return row
  if (failed > 0) return row
  return { ...row, problem: `vitest ended with ${run.code}, see above` }
}

/** Returns the row of a kind for which no test could run. */
export function rowWithout(kind: string, reason: string): Row {
  const counts = { passed: 0, failed: 0, skipped: 0, own: 0, seconds: 0 }
  return { kind, ...counts, standIns: [], reasons: [[reason, 0]] }
}

export function hasFailed({ failed, problem }: Row): boolean {
  return failed > 0 || problem !== undefined
}

/** Returns the paths of the test files that failed. Empty without a report. */
export function failedFiles(report: string | undefined): readonly string[] {
  if (report === undefined) return []
  const { testResults } = reportShape.parse(JSON.parse(report))
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** Returns a report with the results of `second` for its files, and of `first` for all others. */
export function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return second
  const later = reportShape.parse(JSON.parse(second)).testResults
  const names = new Set(later.map(({ name }) => name))
  const kept = reportShape
    .parse(JSON.parse(first))
    .testResults.filter(({ name }) => !names.has(name))
  return JSON.stringify({ testResults: [...kept, ...later] })
}

function tally(texts: readonly string[]): Tally {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
}

function testsOf(report: string) {
  const { testResults } = reportShape.parse(JSON.parse(report))
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

const reportShape = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          meta: z
            .object({
              reason: z.string().optional(),
              server: z.string().optional(),
              standIn: z.string().optional(),
              own: z.number().optional(),
            })
            .default({}),
        }),
      ),
    }),
  ),
})

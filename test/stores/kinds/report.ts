import * as z from 'zod'

/** What came of a kind. */
export interface Row {
  readonly kind: string
  /** And its version; undefined where it was not run on one. */
  readonly server?: string | undefined
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Of the applications' own tests that passed on the server too, each of which is none of ours. */
  readonly own: number
  readonly seconds: number
  /** Each with the number of tests that passed on it, where no server was: among `passed`, and no proof of one. */
  readonly standIns: Tally
  /** Each with the number of tests that it keeps from running. */
  readonly reasons: Tally
  /** What went wrong outside of the tests. */
  readonly problem?: string
}

export type Tally = readonly (readonly [text: string, count: number])[]

/**
 * What a run of Vitest says, from the text of its JSON report; undefined where it wrote none. Whatever did not
 * end well is a failure, also where no test failed.
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
    reasons: tally(skipped.map(({ meta }) => meta.reason ?? 'what they need did not start')),
  }
  if (run.code === 0 && tests.length > 0) return row
  if (failed > 0) return row
  return { ...row, problem: `vitest ended with ${run.code}, see above` }
}

/** A kind that nothing could be tested of. */
export function rowWithout(kind: string, reason: string): Row {
  const counts = { passed: 0, failed: 0, skipped: 0, own: 0, seconds: 0 }
  return { kind, ...counts, standIns: [], reasons: [[reason, 0]] }
}

export function hasFailed({ failed, problem }: Row): boolean {
  return failed > 0 || problem !== undefined
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

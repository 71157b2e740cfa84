import type { RequestKind } from './load.ts'

/** One kind of request, sent to every app. */
export interface Scenario {
  readonly name: string
  readonly kind: RequestKind['kind']
  /** The `path` of the `RequestKind`. */
  readonly path: string
  readonly expect: number
}

const users = '/api/v1/users'

/** Scenarios of the user-app. Reads run first, while all tables hold the same rows. */
export const userScenarios: readonly Scenario[] = [
  { name: 'GET', kind: 'get', path: users, expect: 200 },
  { name: 'list', kind: 'list', path: `${users}?page=1&page_size=20`, expect: 200 },
  { name: 'POST', kind: 'post', path: users, expect: 201 },
]

export const connectionCounts = [1, 32] as const

/** Duration and repetitions. A cell is one app, one scenario, one number of connections, one round. */
export interface Effort {
  readonly rounds: number
  readonly startRounds: number
  readonly rows: number
  /** Maximum; the budget may shorten it. */
  readonly cellMs: number
  /** For the whole run without builds. On a busy machine, starting and seeding take longer and the cells get shorter. */
  readonly budgetMs: number
}

export const fullEffort: Effort = {
  rounds: 5,
  startRounds: 5,
  rows: 1_000,
  cellMs: 1_100,
  budgetMs: 320_000,
}

export const quickEffort: Effort = {
  rounds: 3,
  startRounds: 3,
  rows: 1_000,
  cellMs: 450,
  budgetMs: 65_000,
}

const shortestCellMs = 100

/**
 * Returns the duration of a cell in milliseconds, given the `leftMs` of the budget. Counts warm-up rounds too. `pairs` is
 * the number of apps times the number of scenarios.
 */
export function cellLength(effort: Effort, pairs: number, leftMs: number): number {
  const cells = pairs * connectionCounts.length * (effort.rounds + 1)
  return Math.max(shortestCellMs, Math.min(effort.cellMs, leftMs / cells))
}

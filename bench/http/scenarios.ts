import type { RequestKind } from './load.ts'

/** What is asked of every app under one name. */
export interface Scenario {
  readonly name: string
  readonly kind: RequestKind['kind']
  /** The `path` of the request kind. */
  readonly path: string
  readonly expect: number
}

const users = '/api/v1/users'

/** Of the user-app, in this order: reads first, while all tables hold the same rows. */
export const userScenarios: readonly Scenario[] = [
  { name: 'GET', kind: 'get', path: users, expect: 200 },
  { name: 'list', kind: 'list', path: `${users}?page=1&page_size=20`, expect: 200 },
  { name: 'POST', kind: 'post', path: users, expect: 201 },
]

export const connectionCounts = [1, 32] as const

/** How long and how often. A cell is one app, one scenario, one number of connections, one round. */
export interface Effort {
  readonly rounds: number
  readonly startRounds: number
  readonly rows: number
  /** At most; shorter where the budget asks for it. */
  readonly cellMs: number
  /** For the whole run, builds apart: a busy machine starts and seeds slowly, and the cells give way. */
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
 * How long each of the cells may last, in milliseconds, with `leftMs` of the budget left; warm-up
 * rounds included. `pairs` is how many times an app is asked in one round, connections apart.
 */
export function cellLength(effort: Effort, pairs: number, leftMs: number): number {
  const cells = pairs * connectionCounts.length * (effort.rounds + 1)
  return Math.max(shortestCellMs, Math.min(effort.cellMs, leftMs / cells))
}

/** What a deploy does, in the order of a whole one. */
export const deploySteps = [
  'fetch',
  'checkout',
  'admit',
  'build',
  'start',
  'await-healthy',
  'switch-route',
  'drain',
  'stop-old',
  'prune',
] as const
export type DeployStep = (typeof deploySteps)[number]

/** What is known when a deploy begins. */
export interface DeployFacts {
  /** `head`: the branch as it is upstream now; `commit`: one that ran before. */
  readonly source: 'head' | 'commit'
  /** The commit is in the mirror; says nothing for `head`. */
  readonly hasCommit: boolean
  /** The commit's release is still on disk, built. */
  readonly isReleaseKept: boolean
}

/**
 * The steps of a deploy. Traffic moves at `switch-route`; what comes after it only clears away and may be left to the
 * reconciler. A rollback is the same plan: it has its commit, and often its release.
 */
export function deployPlan(facts: DeployFacts): DeployStep[] {
  const isKept = facts.source === 'commit' && facts.isReleaseKept
  const needsFetch = facts.source === 'head' || (!isKept && !facts.hasCommit)
  const isNeeded: Readonly<Record<DeployStep, boolean>> = {
    fetch: needsFetch,
    checkout: !isKept,
    admit: true,
    build: !isKept,
    start: true,
    'await-healthy': true,
    'switch-route': true,
    drain: true,
    'stop-old': true,
    prune: true,
  }
  return deploySteps.filter((step) => isNeeded[step])
}

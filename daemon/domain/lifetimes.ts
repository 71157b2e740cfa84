import { durationMs } from './duration.ts'
import type { Environment, EnvironmentState, Project } from './records.ts'

export type LifetimeStep = 'keep' | 'pause' | 'hibernate' | 'destroy'

/** Multiple of `pause_after` after which a paused environment becomes `hibernating`. */
const deepSleepFactor = 4

/**
 * Chooses the step of a sweep for an environment. `idleSince` is the last access, or the time of failure of a failed
 * environment. All times are milliseconds.
 */
export function lifetimeStep(environment: {
  readonly state: EnvironmentState
  readonly idleSince: number
  readonly now: number
  readonly pauseAfterMs: number
  readonly destroyAfterMs: number
}): LifetimeStep {
  const idleMs = environment.now - environment.idleSince
  const isOver = idleMs >= environment.destroyAfterMs
  switch (environment.state) {
    case 'building':
    case 'destroyed':
      return 'keep'
    case 'build_failed':
    case 'hibernating':
      return isOver ? 'destroy' : 'keep'
    case 'paused':
      if (isOver) return 'destroy'
      return idleMs >= deepSleepFactor * environment.pauseAfterMs ? 'hibernate' : 'keep'
    case 'running':
      if (isOver) return 'destroy'
      return idleMs >= environment.pauseAfterMs ? 'pause' : 'keep'
  }
}

type Lifetimes = Pick<Project, 'destroyAfter' | 'defaultBranch'>

/** Returns the idle time, in milliseconds, after which a sweep destroys a branch. Infinity means never. */
export function destroyAfterMs({ destroyAfter, defaultBranch }: Lifetimes, branch: string): number {
  if (destroyAfter === null || branch === defaultBranch) return Number.POSITIVE_INFINITY
  return durationMs(destroyAfter) ?? Number.POSITIVE_INFINITY
}

/** Returns the time when a sweep destroys an environment without further requests; null if never. */
export function expiryOf(
  environment: Pick<Environment, 'state' | 'branch' | 'updatedAt' | 'lastAccessedAt'>,
  project: Lifetimes,
): number | null {
  const { state, branch, updatedAt, lastAccessedAt } = environment
  if (state === 'building' || state === 'destroyed') return null
  const lifetimeMs = destroyAfterMs(project, branch)
  if (lifetimeMs === Number.POSITIVE_INFINITY) return null
  return (state === 'build_failed' ? updatedAt : lastAccessedAt) + lifetimeMs
}

import type { EnvironmentState } from './records.ts'

export type LifetimeStep = 'keep' | 'pause' | 'hibernate' | 'destroy'

/** A paused environment is `hibernating` after this many times `pause_after`. */
const deepSleepFactor = 4

/**
 * Chooses what a sweep does to an environment. `idleSince` is the last access, or the time of failure of a failed
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

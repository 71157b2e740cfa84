import type { EnvironmentState } from './records.ts'

/** Allowed transitions. A crashed environment stays `running`; its `reason` describes the restart. */
const next: Readonly<Record<EnvironmentState, readonly EnvironmentState[]>> = {
  building: ['running', 'build_failed', 'destroyed'],
  build_failed: ['destroyed'],
  running: ['paused', 'destroyed'],
  paused: ['running', 'hibernating', 'destroyed'],
  hibernating: ['running', 'destroyed'],
  destroyed: [],
}

export const environmentStates = Object.keys(next) as readonly EnvironmentState[]

/** States in which a branch is served, immediately or after a wake. */
export const liveStates = ['running', 'paused', 'hibernating'] as const

export const asleepStates = ['paused', 'hibernating'] as const

export function canBecome(from: EnvironmentState, to: EnvironmentState): boolean {
  return next[from].includes(to)
}

/** Returns the states that may change to `to`, for compare-and-set updates. */
export function statesBefore(to: EnvironmentState): readonly EnvironmentState[] {
  return environmentStates.filter((from) => canBecome(from, to))
}

export function isLive(state: EnvironmentState): boolean {
  return (liveStates as readonly EnvironmentState[]).includes(state)
}

export function isAsleep(state: EnvironmentState): boolean {
  return (asleepStates as readonly EnvironmentState[]).includes(state)
}

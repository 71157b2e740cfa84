import { expect, test } from 'vitest'
import { lifetimeStep } from './lifetimes.ts'

const times = { idleSince: 0, pauseAfterMs: 100, destroyAfterMs: 1000 }

test.each([
  ['running', 99, 'keep'],
  ['running', 100, 'pause'],
  ['running', 999, 'pause'],
  ['running', 1000, 'destroy'],
  ['paused', 399, 'keep'],
  ['paused', 400, 'hibernate'],
  ['paused', 1000, 'destroy'],
  ['hibernating', 999, 'keep'],
  ['hibernating', 1000, 'destroy'],
  ['build_failed', 999, 'keep'],
  ['build_failed', 1000, 'destroy'],
  ['building', 5000, 'keep'],
  ['destroyed', 5000, 'keep'],
  ['running', -50, 'keep'],
] as const)('the step of a %s environment that is idle for %d ms is %s', (state, now, step) => {
  expect(lifetimeStep({ ...times, state, now })).toBe(step)
})

import { expect, test } from 'vitest'
import { expiryOf, lifetimeStep } from './lifetimes.ts'

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

test.each([
  ['running', 'preview', '1s', 1_500],
  ['hibernating', 'preview', '1s', 1_500],
  ['build_failed', 'preview', '1s', 1_900],
  ['building', 'preview', '1s', null],
  ['destroyed', 'preview', '1s', null],
  ['running', 'preview', null, null],
  ['running', 'main', '1s', null],
  ['build_failed', 'main', '1s', null],
] as const)(
  'a %s environment of %s with destroy_after %s expires at %s',
  (state, branch, destroyAfter, at) => {
    const environment = { state, branch, lastAccessedAt: 500, updatedAt: 900 }
    expect(expiryOf(environment, { destroyAfter, defaultBranch: 'main' })).toBe(at)
  },
)

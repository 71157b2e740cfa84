import { expect, test } from 'vitest'
import { canBecome, environmentStates, isAsleep, isLive, statesBefore } from './states.ts'

test('canBecome allows exactly the transitions of the contract', () => {
  const allowed = environmentStates.flatMap((from) =>
    environmentStates.filter((to) => canBecome(from, to)).map((to) => `${from} → ${to}`),
  )
  expect(allowed).toEqual([
    'building → build_failed',
    'building → running',
    'building → destroyed',
    'build_failed → destroyed',
    'running → paused',
    'running → destroyed',
    'paused → running',
    'paused → hibernating',
    'paused → destroyed',
    'hibernating → running',
    'hibernating → destroyed',
  ])
})

test('statesBefore(destroyed) lists every other state', () => {
  expect(statesBefore('destroyed')).toEqual([
    'building',
    'build_failed',
    'running',
    'paused',
    'hibernating',
  ])
})

test('isLive includes sleeping states, not building or failed ones', () => {
  expect(environmentStates.filter(isLive)).toEqual(['running', 'paused', 'hibernating'])
  expect(environmentStates.filter(isAsleep)).toEqual(['paused', 'hibernating'])
})

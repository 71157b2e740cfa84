import { expect, test } from 'vitest'
import { canBecome, environmentStates, isAsleep, isLive, statesBefore } from './states.ts'

test('states follow each other as the contract has it, and no other way', () => {
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

test('what may be destroyed is all that is not', () => {
  expect(statesBefore('destroyed')).toEqual([
    'building',
    'build_failed',
    'running',
    'paused',
    'hibernating',
  ])
})

test('a sleeper is live, a failed and a building one is not', () => {
  expect(environmentStates.filter(isLive)).toEqual(['running', 'paused', 'hibernating'])
  expect(environmentStates.filter(isAsleep)).toEqual(['paused', 'hibernating'])
})

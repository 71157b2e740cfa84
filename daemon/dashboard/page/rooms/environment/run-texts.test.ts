import { expect, test } from 'vitest'
import { runReason, tookText } from './run-texts.ts'

test('the reason of a run is its explanation, or an exit code that is not 0', () => {
  expect(runReason({ detail: 'no memory is free', exit_code: null })).toBe('No memory is free.')
  expect(runReason({ detail: null, exit_code: 5 })).toBe('Exit code 5.')
  expect(runReason({ detail: null, exit_code: 0 })).toBeUndefined()
})

test('the duration of a run is shown once the run has ended', () => {
  const started_at = '2026-01-01T00:00:00.000Z'
  expect(tookText({ started_at, ended_at: null })).toBeUndefined()
  expect(tookText({ started_at, ended_at: '2026-01-01T00:00:01.400Z' })).toBe('took 1 second')
  expect(tookText({ started_at, ended_at: '2026-01-01T00:12:00.000Z' })).toBe('took 12 minutes')
})

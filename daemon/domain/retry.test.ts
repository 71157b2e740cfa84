import { expect, test } from 'vitest'
import { deployAttempts, deployDelayMs, restartDelayMs } from './retry.ts'

test('deployDelayMs allows five attempts with growing delays', () => {
  const delays = Array.from({ length: deployAttempts }, (_, index) => deployDelayMs(index + 1))
  expect(delays).toEqual([2000, 10_000, 30_000, 60_000, undefined])
})

test('restartDelayMs grows from one second to one minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 1e9].map(restartDelayMs)
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

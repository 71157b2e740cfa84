import { expect, test } from 'vitest'
import type { UsageWeek } from '../../../../client/contract.ts'
import { evenTop, weekSeriesOf } from './week-series.ts'

const slot = (minutes: number, requests: number, p95_ms: number | null) => ({
  at: new Date(minutes * 60_000).toISOString(),
  ...{ memory_bytes: 100, cpu: 0.5, requests, errors: 1, p50_ms: 1, p95_ms },
})
const week = (...slots: UsageWeek['slots']): UsageWeek => ({
  environment_id: 1,
  slot_seconds: 900,
  slots,
})

test('a time without slots has no requests, and a gap in the other lines', () => {
  const { requests, latency, memory, totals } = weekSeriesOf(
    week(slot(0, 3, 8), slot(15, 5, 97), slot(90, 2, null)),
  )
  expect(requests.times).toEqual([0, 900, 1800, 4500, 5400])
  expect(requests.values).toEqual([3, 5, 0, 0, 2])
  expect(requests.second).toEqual([1, 1, 0, 0, 1])
  expect(latency.second).toEqual([8, 97, null, null, null])
  expect(memory.values).toEqual([100, 100, null, null, 100])
  expect(totals).toEqual({ requests: 10, errors: 3 })
  expect([requests.top, latency.top]).toEqual([6, 98])
})

test('one absent slot is one point', () => {
  expect(weekSeriesOf(week(slot(0, 1, 1), slot(30, 1, 1))).requests.times).toEqual([0, 900, 1800])
})

test('a scale ends at an even number', () => {
  expect([0, 1, 3, 11, 97, 1_234, 99_000].map(evenTop)).toEqual([2, 2, 4, 12, 98, 1_400, 100_000])
})

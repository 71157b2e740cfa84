import { expect, test } from 'vitest'
import type { UsageHistory } from '../../../../client/contract.ts'
import { highest, isolatedIn, seriesOf } from './usage-series.ts'

const history = (seconds: readonly number[], cpus_limit: number | null): UsageHistory => ({
  environment_id: 1,
  memory_limit_bytes: 512,
  cpus_limit,
  interval_seconds: 15,
  samples: seconds.map((second, at) => ({
    at: new Date(second * 1000).toISOString(),
    memory_bytes: 100 + at,
    cpu: at === 0 ? null : at,
  })),
})

test('samples become lines, and a time without samples becomes a gap', () => {
  const { memory, cpu } = seriesOf(history([0, 15, 30, 300, 315], 2))
  expect(memory.times).toEqual([0, 15, 30, 45, 300, 315])
  expect(memory.values).toEqual([100, 101, 102, null, 103, 104])
  expect(cpu.values).toEqual([null, 1, 2, null, 3, 4])
  expect([memory.top, cpu.top, cpu.limit]).toEqual([512, 2, 2])
})

test('a scale without a limit ends at the highest value, and at one processor at least', () => {
  expect(seriesOf(history([0, 15, 30, 45], null)).cpu).toMatchObject({ top: 3, limit: null })
  expect(seriesOf(history([], null))).toMatchObject({ cpu: { top: 1, times: [] } })
  expect(highest([null, 2, 1])).toBe(2)
})

test('a value between two gaps is isolated', () => {
  expect(isolatedIn([1, null, 2, 3, null, 4, undefined, 0])).toEqual([0, 5, 7])
  expect(isolatedIn([])).toEqual([])
})

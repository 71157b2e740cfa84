import { expect, test } from 'vitest'
import { createUsageHistory } from './usage-history.ts'

const mib = 2 ** 20
const use = (memoryMb: number, cpuMs: number) => ({ memoryBytes: memoryMb * mib, cpuMs })

test('a sample has the memory, and the processors that were busy since the previous sample', () => {
  const history = createUsageHistory(60_000)
  history.add(10_000, new Map([[1, use(50, 2_000)]]))
  history.add(20_000, new Map([[1, use(60, 7_000)]]))
  expect(history.of(1)).toEqual([
    { at: 10_000, memoryBytes: 50 * mib, cpu: null },
    { at: 20_000, memoryBytes: 60 * mib, cpu: 0.5 },
  ])
  expect(history.of(2)).toEqual([])
})

test('an app that was started again has no processor use in its first sample', () => {
  const history = createUsageHistory(60_000)
  for (const [at, cpuMs] of [
    [0, 9_000],
    [1_000, 100],
    [2_000, 600],
  ] as const) {
    history.add(at, new Map([[1, use(1, cpuMs)]]))
  }
  expect(history.of(1).map(({ cpu }) => cpu)).toEqual([null, null, 0.5])
})

test('a history keeps samples for its time only, also of apps that ended', () => {
  const history = createUsageHistory(60_000)
  history.add(0, new Map([[2, use(1, 0)]]))
  for (let at = 15_000; at <= 150_000; at += 15_000) history.add(at, new Map([[1, use(1, 0)]]))
  expect(history.of(1).map(({ at }) => at)).toEqual([90_000, 105_000, 120_000, 135_000, 150_000])
  expect(history.of(2)).toEqual([])
})

test('the newest samples are those of apps that ran at the last measurement', () => {
  const history = createUsageHistory(60_000)
  expect(history.newest().size).toBe(0)
  history.add(
    0,
    new Map([
      [1, use(1, 0)],
      [2, use(2, 0)],
    ]),
  )
  history.add(1_000, new Map([[2, use(3, 250)]]))
  expect([...history.newest()]).toEqual([[2, { at: 1_000, memoryBytes: 3 * mib, cpu: 0.25 }]])
})

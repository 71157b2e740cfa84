import { expect, test } from 'vitest'
import {
  addTraffic,
  bucketOf,
  latencyBounds,
  latencyQuantile,
  noTraffic,
  type Traffic,
} from './traffic.ts'

function trafficOf(latencies: readonly number[]): Traffic {
  const buckets = [...noTraffic.buckets]
  for (const ms of latencies) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1
  return { requests: latencies.length, errors: 0, sumMs: 0, buckets }
}

test('a latency belongs to the first bucket whose bound it does not exceed', () => {
  expect([0, 5, 5.1, 10_000, 10_001].map(bucketOf)).toEqual([0, 0, 1, 10, latencyBounds.length])
})

test('sums add every count', () => {
  const both = addTraffic(trafficOf([1, 40]), { ...trafficOf([40]), errors: 1, sumMs: 7 })
  expect(both).toMatchObject({ requests: 3, errors: 1, sumMs: 7 })
  expect(both.buckets.slice(0, 4)).toEqual([1, 0, 0, 2])
})

test('a quantile lies in the bucket that holds it', () => {
  const traffic = trafficOf([...Array(90).fill(3), ...Array(10).fill(700)])
  expect(latencyQuantile(traffic, 0.5)).toBeLessThanOrEqual(5)
  expect(latencyQuantile(traffic, 0.95)).toBe(750)
  expect(latencyQuantile(trafficOf([60_000]), 0.5)).toBe(10_000)
  expect(latencyQuantile(noTraffic, 0.5)).toBeNull()
})

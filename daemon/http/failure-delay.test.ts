import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createFailureDelay } from './failure-delay.ts'

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage

function setUp() {
  const waits: number[] = []
  let now = 0
  const delay = createFailureDelay({
    monotonic: () => now,
    wait: async (ms) => void waits.push(ms),
  })
  return {
    waits,
    fail: async (address: string, count: number) => {
      for (let at = 0; at < count; at += 1) await delay(from(address))
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('an address with many failed deliveries waits, up to 2 s, and another address does not', async () => {
  const { waits, fail } = setUp()
  await fail('203.0.113.7', 200)
  expect(waits).toEqual([])
  await fail('203.0.113.7', 3)
  expect(waits).toEqual([20, 40, 60])
  await fail('203.0.113.7', 1_000)
  expect(Math.max(...waits)).toBe(2_000)
  const before = waits.length
  await fail('203.0.113.8', 200)
  expect(waits).toHaveLength(before)
})

test('an address recovers at 50 failures per second', async () => {
  const { waits, fail, pass } = setUp()
  await fail('203.0.113.7', 200)
  pass(1_000)
  await fail('203.0.113.7', 50)
  expect(waits).toEqual([])
  await fail('203.0.113.7', 1)
  expect(waits).toEqual([20])
})

import { expect, test } from 'vitest'
import { createLock } from './lock.ts'

test('callers hold the lock one at a time, in order', async () => {
  const lock = createLock({ timeoutMs: 5_000, maxWaiting: 100 })
  const seen: string[] = []
  const turn = (name: string) =>
    lock.hold(async () => {
      seen.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(`${name} ends`)
    })
  await Promise.all(['a', 'b', 'c'].map(turn))
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('the lock is released if its holder throws', async () => {
  const lock = createLock({ timeoutMs: 5_000, maxWaiting: 100 })
  await expect(lock.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lock.hold(async () => 'next')).toBe('next')
})

test('hold throws after the timeout, and if too many callers are waiting', async () => {
  const lock = createLock({ timeoutMs: 10, maxWaiting: 1 })
  let end = () => {}
  const holder = lock.hold(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const late = lock.hold(async () => 'late')
  await expect(lock.hold(async () => 'one too many')).rejects.toThrow(/too many changes/)
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
  end()
  await holder
  expect(await lock.hold(async () => 'free')).toBe('free')
})

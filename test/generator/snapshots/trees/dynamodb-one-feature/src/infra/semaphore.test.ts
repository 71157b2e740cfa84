import { expect, test } from 'vitest'
import { createKeyedLock, createSemaphore } from './semaphore.js'

test('a semaphore limits concurrent work, and keeps the order of calls', async () => {
  const withPermit = createSemaphore({ permits: 2, timeoutMs: 60_000 })
  const started: number[] = []
  let most = 0
  let working = 0
  const work = async (at: number) => {
    started.push(at)
    working += 1
    most = Math.max(most, working)
    await Promise.resolve()
    working -= 1
  }
  await Promise.all([0, 1, 2, 3, 4].map((at) => withPermit(() => work(at))))
  expect([most, started]).toEqual([2, [0, 1, 2, 3, 4]])
})

test('a semaphore throws unavailable after the timeout, and failed work releases its permit', async () => {
  const withPermit = createSemaphore({ permits: 1, timeoutMs: 1 })
  let fail = () => {}
  const first = withPermit(
    () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('no answer'))
      }),
  )
  await expect(withPermit(async () => 'never')).rejects.toMatchObject({ kind: 'unavailable' })
  fail()
  await expect(first).rejects.toThrow('no answer')
  expect(await withPermit(async () => 'next')).toBe('next')
})

test('a keyed lock serializes work on one key, and not on different keys', async () => {
  const withLock = createKeyedLock(60_000)
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await Promise.resolve()
    events.push(`${name} ends`)
  }
  await Promise.all([withLock('a', work('1')), withLock('a', work('2')), withLock('b', work('3'))])
  expect(events.filter((each) => !each.startsWith('3'))).toEqual([
    '1 begins',
    '1 ends',
    '2 begins',
    '2 ends',
  ])
  expect(events.indexOf('3 begins')).toBeLessThan(events.indexOf('2 begins'))
})

import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/support/daemon/app/fake-clock.ts'
import { createDeferred } from './deferred.ts'
import { withDeadline } from './with-deadline.ts'

test('withDeadline returns the result of work that ends in time', async () => {
  const clock = createFakeClock()
  expect(await withDeadline(Promise.resolve('done'), { clock, ms: 10 })).toBe('done')
})

test("withDeadline returns 'late' after its time limit, and the work continues", async () => {
  const clock = createFakeClock()
  const work = createDeferred<string>()
  const result = withDeadline(work.promise, { clock, ms: 10 })
  await clock.advance(10)
  expect(await result).toBe('late')
  work.resolve('done')
  expect(await work.promise).toBe('done')
})

test("withDeadline returns 'late' as soon as its signal aborts", async () => {
  const abort = new AbortController()
  const { promise } = createDeferred<string>()
  const result = withDeadline(promise, { clock: createFakeClock(), ms: 10, signal: abort.signal })
  abort.abort()
  expect(await result).toBe('late')
})

test('withDeadline throws the error of work that fails in time', async () => {
  const work = Promise.reject(new Error('broken'))
  await expect(withDeadline(work, { clock: createFakeClock(), ms: 10 })).rejects.toThrow('broken')
})

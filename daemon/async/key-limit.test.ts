import { describe, expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'
import { createKeyLimit } from './key-limit.ts'

/** Starts work that ends when the test says so. `begun` lists the names of begun work in order. */
function workshop(limit: { total: number; each: number }) {
  const { run } = createKeyLimit(limit)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    start(key: number, name: string, signal?: AbortSignal) {
      const end = createDeferred<void>()
      ends.set(name, end.resolve)
      const work = run(
        key,
        async () => {
          begun.push(name)
          await end.promise
        },
        signal,
      )
      work.catch(() => undefined)
      return work
    },
    async end(name: string) {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a limit for each key', () => {
  test('starts work of another key before more work of a busy key', async () => {
    const shop = workshop({ total: 2, each: 2 })
    for (const name of ['a1', 'a2', 'a3']) shop.start(1, name)
    shop.start(2, 'b1')
    await turn()
    expect(shop.begun).toEqual(['a1', 'a2'])
    await shop.end('a1')
    expect(shop.begun).toEqual(['a1', 'a2', 'b1'])
    await shop.end('b1')
    expect(shop.begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('leaves places to other keys if one key has used its share', async () => {
    const shop = workshop({ total: 3, each: 2 })
    for (const name of ['a1', 'a2', 'a3']) shop.start(1, name)
    await turn()
    expect(shop.begun).toEqual(['a1', 'a2'])
    shop.start(2, 'b1')
    await turn()
    expect(shop.begun).toEqual(['a1', 'a2', 'b1'])
  })

  test('drops waiting work whose signal aborts, and keeps its place free', async () => {
    const shop = workshop({ total: 1, each: 1 })
    const abort = new AbortController()
    shop.start(1, 'a1')
    const dropped = shop.start(1, 'a2', abort.signal)
    shop.start(2, 'b1')
    abort.abort(new Error('not needed any more'))
    await expect(dropped).rejects.toThrow('not needed any more')
    await shop.end('a1')
    expect(shop.begun).toEqual(['a1', 'b1'])
  })
})

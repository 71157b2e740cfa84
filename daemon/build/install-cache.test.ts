import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/daemon/build/app.ts'
import { createInstallCache } from './install-cache.ts'

const signal = new AbortController().signal

function setUp() {
  const root = temporaryFolder()
  const clock = { at: 1_700_000_000_000 }
  const now = () => {
    clock.at += 60_000
    return clock.at
  }
  const folder = join(root, 'packages')
  const cache = createInstallCache({ folder, scratchFolder: join(root, 'scratch'), now })
  let made = 0
  const create = async (at: string) => {
    made += 1
    writeFileSync(join(at, 'file'), 'x'.repeat(1000))
  }
  const use = (name: string, work: (path: string) => Promise<unknown> = async () => {}) =>
    cache.withEntry(name, { signal, create, use: work })
  return { root, folder, cache, use, made: () => made, names: () => readdirSync(folder).sort() }
}

test('concurrent callers create a cache entry once', async () => {
  const { use, made, root } = setUp()
  await Promise.all(Array.from({ length: 10 }, () => use('a')))
  await use('a')
  expect(made()).toBe(1)
  expect(readdirSync(join(root, 'scratch'))).toEqual([])
})

test('a failed cache entry leaves no files and is created by the next caller', async () => {
  const { cache, root, folder, use } = setUp()
  const create = async (at: string) => {
    writeFileSync(join(at, 'half'), '')
    throw new Error('no network')
  }
  await expect(cache.withEntry('a', { signal, create, use: async () => {} })).rejects.toThrow(
    'no network',
  )
  expect(existsSync(join(folder, 'a'))).toBe(false)
  expect(readdirSync(join(root, 'scratch'))).toEqual([])
  await use('a', async (path) => expect(existsSync(join(path, 'file'))).toBe(true))
})

test('prune evicts the least recently used cache entries above the limits of count and size', async () => {
  const { use, cache, names, root } = setUp()
  for (const name of ['a', 'b', 'c', 'a']) await use(name)
  await cache.prune({ entries: 2, bytes: 1e9 })
  expect(names()).toEqual(['a', 'c'])
  await cache.prune({ entries: 9, bytes: 1500 })
  expect(names()).toEqual(['a'])
  expect(readdirSync(join(root, 'scratch'))).toEqual([])
})

test('prune keeps a cache entry in use, and a caller during an eviction creates the entry again', async () => {
  const { use, cache, names, made } = setUp()
  await use('a', async (path) => {
    await use('b')
    await cache.prune({ entries: 0, bytes: 0 })
    expect(names()).toEqual(['a'])
    expect(existsSync(join(path, 'file'))).toBe(true)
  })
  const pruning = cache.prune({ entries: 0, bytes: 0 })
  const using = use('a', async (path) => expect(existsSync(join(path, 'file'))).toBe(true))
  await Promise.all([pruning, using])
  expect(made()).toBeGreaterThanOrEqual(2)
})

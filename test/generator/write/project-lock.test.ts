import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeProcesses } from '../../../src/generator/write/owner.ts'
import { type LockOptions, withProjectLock } from '../../../src/generator/write/project-lock.ts'
import { watchedDisk } from '../../support/generator/write/disks.ts'
import { put, textAt } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree } from '../../support/tree.ts'

test('withProjectLock holds the lock during the run and returns the result', async () => {
  const root = temporaryProject()
  const before = hashTree(root)
  const value = await withProjectLock(root, async () => {
    expect(textAt(root, '.strata/lock')).toMatch(new RegExp(`^${process.pid} \\d+ [0-9a-f]{12} `))
    return 7
  })
  expect(value).toBe(7)
  expect(hashTree(root)).toBe(before)
})

test('a run that throws releases the lock', async () => {
  const root = temporaryProject()
  const before = hashTree(root)
  const fail = () => {
    throw new Error('bug')
  }
  await expect(withProjectLock(root, fail)).rejects.toThrow('bug')
  expect(hashTree(root)).toBe(before)
})

test('a run leaves no .strata in a folder without one', async () => {
  const root = temporaryFolder()
  await withProjectLock(root, () => expect(existsSync(join(root, '.strata/lock'))).toBe(true))
  expect(readdirSync(root)).toEqual([])
})

test('a .strata that another run creates at the same time is used', async () => {
  const root = temporaryFolder()
  const disk = watchedDisk(({ name, path }) => {
    if (name === 'makeFolder') mkdirSync(path)
  })
  expect(await withProjectLock(root, () => 7, { disk })).toBe(7)
})

test('a run removes its process listeners', async () => {
  const count = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((e) => process.listenerCount(e))
  const before = count()
  await withProjectLock(temporaryProject(), () => expect(count()).toEqual(before.map((n) => n + 1)))
  expect(count()).toEqual(before)
})

test('a second run waits until the first has ended', async () => {
  const root = temporaryProject()
  const order: string[] = []
  let second: Promise<unknown> | undefined
  await withProjectLock(root, async () => {
    await new Promise<void>((resolve) => {
      const sleep = async () => resolve()
      second = withProjectLock(root, () => order.push('second'), { sleep })
    })
    order.push('first')
  })
  await second
  expect(order).toEqual(['first', 'second'])
})

test('a second run polls until its deadline and then names the first run', async () => {
  const root = temporaryProject()
  await withProjectLock(root, async () => {
    const { options, sleeps } = fakeClock({ waitMs: 100, pollMs: 30 })
    await expect(withProjectLock(root, () => undefined, options)).rejects.toMatchObject({
      kind: 'conflict',
      message: `another strata run (pid ${process.pid}) is changing this project; try again when it is done`,
    })
    expect(sleeps).toEqual([30, 30, 30, 30])
    expect(readdirSync(join(root, '.strata')).sort()).toEqual(['base', 'lock'])
  })
})

test('a lock whose pid was reused by a later process is taken over', async (context) => {
  if (!existsSync('/proc/self/stat')) context.skip('no /proc: start times are unknown here')
  const root = temporaryProject()
  const { pid, id, host } = nodeProcesses.self()
  put(root, '.strata/lock', `${pid} 1 ${id} ${host}\n`)
  await withProjectLock(root, () => undefined, { waitMs: 0 })
  expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
})

test('a lock of another host is never taken over, and the message names the remedy', async () => {
  const root = temporaryProject()
  put(root, '.strata/lock', '1 1 0123456789ab elsewhere\n')
  await expect(withProjectLock(root, () => undefined, { waitMs: 0 })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('(pid 1 on elsewhere)'),
    details: ['if no other run is active, delete .strata/lock and run again'],
  })
})

test('the next run removes the lock files of killed attempts', async () => {
  const root = temporaryProject()
  const before = hashTree(root)
  put(root, '.strata/lock.999999999-1-0123456789ab.card', '')
  put(root, '.strata/lock.999999999-1-0123456789ab.heir', '')
  await withProjectLock(root, () => undefined)
  expect(hashTree(root)).toBe(before)
})

test('a .strata that is a symlink is refused', async () => {
  const root = temporaryFolder()
  const outside = temporaryFolder()
  symlinkSync(outside, join(root, '.strata'))
  await expect(withProjectLock(root, () => undefined)).rejects.toMatchObject({ kind: 'conflict' })
  expect(readdirSync(outside)).toEqual([])
})

/** A clock that advances only in `sleep`. */
function fakeClock(limits: LockOptions): { options: LockOptions; sleeps: number[] } {
  const sleeps: number[] = []
  const now = () => sleeps.reduce((sum, ms) => sum + ms, 0)
  const sleep = async (ms: number) => {
    sleeps.push(ms)
  }
  return { options: { ...limits, now, sleep }, sleeps }
}

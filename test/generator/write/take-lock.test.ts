import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/generator/write/disk.ts'
import { removeLock, takeLock } from '../../../src/generator/write/take-lock.ts'
import { diskError, Kill, killingDisk, watchedDisk } from '../../support/generator/write/disks.ts'
import { fakeProcesses } from '../../support/generator/write/fake-processes.ts'
import { put, textAt } from '../../support/generator/write/sample.ts'
import { temporaryFolder } from '../../support/generator/write/temporary-folder.ts'

type Run = ReturnType<ReturnType<typeof fakeProcesses>['start']>

const processes = fakeProcesses()
let folder = ''
let lock = ''

beforeEach(() => {
  folder = temporaryFolder()
  lock = join(folder, 'lock')
})

test('a free lock is taken once, names its owner and is free after its release', () => {
  const [a, b] = [processes.start(), processes.start()]
  expect(take(a)).toBe('taken')
  expect(takeLock(nodeDisk, lock, b.self(), b)).toEqual({ kind: 'held', holder: a.self() })
  expect(readdirSync(folder)).toEqual(['lock'])
  removeLock(nodeDisk, lock, b.self())
  expect(existsSync(lock)).toBe(true)
  removeLock(nodeDisk, lock, a.self())
  expect(readdirSync(folder)).toEqual([])
  expect(take(b)).toBe('taken')
})

test('the lock of a dead owner is taken over', () => {
  abandon()
  const heir = processes.start()
  expect(take(heir)).toBe('taken')
  expect(textAt(folder, 'lock')).toContain(heir.self().id)
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('a lock with an unknown text counts as held by an unknown owner', () => {
  put(folder, 'lock', '')
  const run = processes.start()
  expect(takeLock(nodeDisk, lock, run.self(), run)).toEqual({ kind: 'held', holder: undefined })
})

test.each(['EPERM', 'ENOTSUP'])('without hard links (%s) a lock is still exclusive', (code) => {
  const disk = {
    ...nodeDisk,
    link: () => {
      throw diskError(code)
    },
  }
  const [a, b, c] = [processes.start(), processes.start(), processes.start()]
  expect(take(a, disk)).toBe('taken')
  expect(take(b, disk)).toBe('held')
  a.die()
  expect(take(b, disk)).toBe('taken')
  expect(take(c, disk)).toBe('held')
  expect(readdirSync(folder)).toEqual(['lock'])
})

test('exactly one of three interleaved runs takes the lock, wherever one of them dies', () => {
  const operations = 12
  for (const isStale of [true, false]) {
    for (let at = 0; at < operations; at++) {
      for (let death = 0; death < operations; death++) {
        folder = temporaryFolder()
        lock = join(folder, 'lock')
        if (isStale) abandon()
        const outcome = interleave(at, death)
        expect(outcome.filter(Boolean), `at ${at}, death ${death}`).toHaveLength(1)
        expect(readdirSync(folder), `at ${at}, death ${death}`).toEqual(['lock'])
      }
    }
  }
})

/**
 * A runs until its operation `at`. Then B runs until it dies at its operation `death` (or completes),
 * then C runs completely, then A continues. Finally D tries, which detects a lock without a holder.
 */
function interleave(at: number, death: number): boolean[] {
  const [a, b, c, d] = [processes.start(), processes.start(), processes.start(), processes.start()]
  const won = { a: false, b: false, c: false, d: false }
  let seen = 0
  const disk = watchedDisk(() => {
    if (seen++ !== at) return
    won.b = takeAndMaybeDie(b, death)
    won.c = take(c) === 'taken'
  })
  won.a = take(a, disk) === 'taken'
  won.d = take(d) === 'taken'
  if (won.d) return [won.a, won.b, won.c, won.d]
  // The next owner removes the leftovers of A, B and C.
  for (const run of [a, b, c]) run.die()
  const next = processes.start()
  expect(take(next)).toBe('taken')
  return [won.a, won.b, won.c]
}

function takeAndMaybeDie(run: Run, death: number): boolean {
  try {
    return take(run, killingDisk(death)) === 'taken'
  } catch (error) {
    expect(error).toBeInstanceOf(Kill)
    run.die()
    return false
  }
}

function take(run: Run, disk: Disk = nodeDisk): string {
  return takeLock(disk, lock, run.self(), run).kind
}

function abandon(): void {
  const run = processes.start()
  take(run)
  run.die()
}

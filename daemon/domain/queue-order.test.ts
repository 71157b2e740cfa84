import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextAttemptAt, nextEntry, positionOf, turns } from './queue-order.ts'
import type { QueueEntry } from './records.ts'

function entry(id: number, projectId: number, changes: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id,
    projectId,
    branch: `b${id}`,
    commitSha: null,
    operator: 'master',
    requestId: 'r',
    requestedAt: id,
    attempts: 0,
    state: 'waiting',
    notBefore: 0,
    lease: null,
    environmentId: null,
    lastError: null,
    ...changes,
  }
}

const view = (entries: readonly QueueEntry[], changes = {}) => ({
  entries,
  now: 1000,
  blocked: new Set<number>(),
  full: new Set<number>(),
  servedAt: new Map<number, number>(),
  ...changes,
})

describe('nextEntry', () => {
  test('returns the oldest deploy of the least recently served project', () => {
    const entries = [entry(1, 1), entry(2, 1), entry(3, 2)]
    expect(nextEntry(view(entries))?.id).toBe(1)
    expect(nextEntry(view(entries, { servedAt: new Map([[1, 1]]) }))?.id).toBe(3)
    const both = new Map([
      [1, 1],
      [2, 2],
    ])
    expect(nextEntry(view(entries, { servedAt: both }))?.id).toBe(1)
  })

  test('prefers the project with the fewest running deploys', () => {
    const entries = [entry(1, 1, { state: 'running' }), entry(2, 1), entry(3, 2)]
    expect(nextEntry(view(entries))?.id).toBe(3)
  })

  test('skips the deploys of a project that uses its whole share', () => {
    const entries = [entry(1, 1), entry(2, 2)]
    expect(nextEntry(view(entries, { full: new Set([1]) }))?.id).toBe(2)
    expect(nextEntry(view(entries, { full: new Set([1, 2]) }))).toBeUndefined()
  })

  test('skips deploys that back off, are blocked, or whose branch is being deployed', () => {
    const entries = [
      entry(1, 1, { state: 'running', branch: 'main' }),
      entry(2, 1, { branch: 'main' }),
      entry(3, 1, { notBefore: 1001 }),
      entry(4, 1),
    ]
    expect(nextEntry(view(entries, { blocked: new Set([4]) }))).toBeUndefined()
    expect(nextEntry(view(entries))?.id).toBe(4)
    expect(nextEntry(view(entries, { now: 1001 }))?.id).toBe(3)
    expect(nextAttemptAt(entries, 1000)).toBe(1001)
    expect(nextAttemptAt(entries, 1001)).toBeUndefined()
  })

  test('serves each of n projects once in the first n turns', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(sizes, (counts) => {
        let id = 0
        let entries = counts.flatMap((count, project) =>
          Array.from({ length: count }, () => {
            id += 1
            return entry(id, project + 1)
          }),
        )
        const servedAt = new Map<number, number>()
        const order: number[] = []
        for (let turn = 1; entries.length > 0; turn += 1) {
          const next = nextEntry(view(entries, { servedAt }))
          if (!next) throw new Error('no entry is next')
          servedAt.set(next.projectId, turn)
          order.push(next.projectId)
          entries = entries.filter((one) => one !== next)
        }
        expect(new Set(order.slice(0, counts.length)).size).toBe(counts.length)
      }),
    )
  })
})

test('the projects take turns in the order of waiting deploys', () => {
  const entries = [entry(1, 1), entry(2, 1), entry(3, 2), entry(4, 3), entry(5, 2)]
  const ids = (turnAt: Map<number, number>) => turns(entries, turnAt).map(({ id }) => id)
  expect(ids(new Map())).toEqual([1, 3, 4, 2, 5])
  expect(ids(new Map([[1, 1]]))).toEqual([3, 4, 1, 5, 2])
})

test('positionOf counts only waiting deploys', () => {
  const entries = [entry(1, 1, { state: 'running' }), entry(2, 1), entry(3, 1)]
  expect([1, 2, 3].map((id) => positionOf(entries, id))).toEqual([0, 1, 2])
})

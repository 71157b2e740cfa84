import { describe, expect, test } from 'vitest'
import type { Environment, Launch } from './records.ts'
import { keptRelease, releasesToPrune } from './releases.ts'
import { rollbackTarget } from './rollback-target.ts'

const launch = {} as Launch

function row(id: number, commitSha: string, release: string | null = `r${id}`): Environment {
  return {
    id,
    projectId: 1,
    branch: 'main',
    commitSha,
    state: 'destroyed',
    hostname: 'main--shop.localhost',
    reason: null,
    operator: 'master',
    hostPort: null,
    hostAddress: null,
    containerName: null,
    nodeId: 1,
    memoryMb: 256,
    release,
    launch,
    createdAt: 0,
    updatedAt: 0,
    lastAccessedAt: 0,
  }
}

describe('rollbackTarget', () => {
  const rows = [row(4, 'ccc1'), row(3, 'ccc1'), row(2, 'bbb1'), row(1, 'aaa1')]

  test('chooses the newest commit that is not live', () => {
    expect(rollbackTarget(rows, 'ccc1')).toEqual({ kind: 'found', commitSha: 'bbb1' })
    expect(rollbackTarget(rows, 'bbb1')).toEqual({ kind: 'found', commitSha: 'ccc1' })
    expect(rollbackTarget([row(1, 'a')], 'a')).toEqual({ kind: 'none' })
  })

  test('chooses the only commit that starts with the given characters', () => {
    expect(rollbackTarget(rows, 'ccc1', 'AA')).toEqual({ kind: 'found', commitSha: 'aaa1' })
    expect(rollbackTarget(rows, 'ccc1', 'ccc')).toEqual({ kind: 'found', commitSha: 'ccc1' })
    expect(rollbackTarget(rows, 'ccc1', 'dd')).toEqual({ kind: 'none' })
    expect(rollbackTarget([...rows, row(0, 'aaa2')], 'ccc1', 'aaa')).toMatchObject({
      kind: 'ambiguous',
    })
  })
})

test('keptRelease returns the newest unpruned release of a commit', () => {
  const rows = [row(3, 'a', null), row(2, 'a'), row(1, 'a')]
  expect(keptRelease(rows, 'a')?.id).toBe(2)
  expect(keptRelease(rows, 'b')).toBeUndefined()
})

test('releasesToPrune returns each surplus release once, except releases in use', () => {
  const rows = [row(5, 'b', 'r1'), row(4, 'd'), row(3, 'c'), row(2, 'b'), row(1, 'a', 'r1')]
  expect(releasesToPrune(rows, 2, new Set())).toEqual(['r3', 'r2'])
  expect(releasesToPrune(rows, 2, new Set(['r3']))).toEqual(['r2'])
  expect(releasesToPrune(rows, 0, new Set())).toEqual(['r4', 'r3', 'r2'])
  expect(releasesToPrune(rows, 9, new Set())).toEqual([])
})

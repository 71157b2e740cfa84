import { expect, test } from 'vitest'
import type { Environment } from '../../../../client/contract.ts'
import { earlierCommits } from '../../actions/earlier-commits.ts'
import { branchesOf } from './branches-of.ts'

function row(id: number, branch: string, state: Environment['state'], sha: string): Environment {
  const at = `2026-01-31T12:00:${String(id).padStart(2, '0')}Z`
  const isLive = state === 'running' || state === 'paused' || state === 'hibernating'
  return {
    id,
    project_id: 1,
    branch: { name: branch, commit_sha: sha },
    state,
    url: `${branch}--shop.localhost`,
    created_at: at,
    updated_at: at,
    last_accessed_at: at,
    expires_at: null,
    host_port: null,
    public_port: isLive ? 9080 : null,
    container_name: null,
    node_id: 1,
    reason: null,
    processes: [],
  }
}

test('a failed deploy never hides the live version of its branch', () => {
  const rows = [row(1, 'main', 'running', 'a'), row(2, 'main', 'build_failed', 'b')]
  const [main] = branchesOf(rows, 'main')
  expect([main?.live?.id, main?.newest.id]).toEqual([1, 2])
})

test('live branches come first with the default branch, destroyed ones last', () => {
  const rows = [
    row(1, 'gone', 'destroyed', 'a'),
    row(2, 'broken', 'build_failed', 'a'),
    row(3, 'alpha', 'paused', 'a'),
    row(4, 'main', 'running', 'a'),
  ]
  expect(branchesOf(rows, 'main').map(({ name }) => name)).toEqual([
    'main',
    'alpha',
    'broken',
    'gone',
  ])
})

test('earlier commits are those that ran, newest first, without the live one', () => {
  const rows = [
    row(1, 'main', 'destroyed', 'a'),
    row(2, 'main', 'destroyed', 'b'),
    row(3, 'main', 'build_failed', 'c'),
    row(4, 'main', 'destroyed', 'a'),
    row(5, 'main', 'running', 'd'),
    row(6, 'other', 'destroyed', 'e'),
  ]
  expect(earlierCommits(rows, 'main').map(({ sha }) => sha)).toEqual(['a', 'b'])
})

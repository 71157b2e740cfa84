import { expect, test } from 'vitest'
import type { Environment } from '../../../daemon/client/contract.ts'
import { rowsWorthShowing } from './status.ts'

function row(id: number, branch: string, state: Environment['state']): Environment {
  const at = '2026-01-31T12:00:00Z'
  return {
    id,
    project_id: 1,
    branch: { name: branch, commit_sha: 'a'.repeat(40) },
    state,
    url: `${branch}--shop.localhost`,
    created_at: at,
    updated_at: at,
    last_accessed_at: at,
    host_port: null,
    public_port: null,
    container_name: null,
    node_id: 1,
    reason: null,
  }
}

const idsOf = (rows: readonly Environment[]) => rowsWorthShowing(rows).map(({ id }) => id)

test('a branch is shown by its live row, and by a newer one that failed or is built', () => {
  expect(
    idsOf([row(1, 'main', 'destroyed'), row(2, 'main', 'running'), row(3, 'main', 'build_failed')]),
  ).toEqual([2, 3])
  expect(idsOf([row(1, 'main', 'build_failed'), row(2, 'main', 'paused')])).toEqual([2])
})

test('a branch that was never live is shown by what failed, one that is gone not at all', () => {
  expect(idsOf([row(1, 'main', 'build_failed')])).toEqual([1])
  expect(idsOf([row(1, 'main', 'destroyed')])).toEqual([])
})

test('branches come in the order of their names', () => {
  expect(idsOf([row(1, 'main', 'running'), row(2, 'dev', 'running')])).toEqual([2, 1])
})

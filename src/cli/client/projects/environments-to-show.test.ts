import { expect, test } from 'vitest'
import type { Environment } from '../../../../daemon/client/contract.ts'
import { environmentsToShow } from './environments-to-show.ts'

function environment(id: number, branch: string, state: Environment['state']): Environment {
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
    expires_at: null,
    host_port: null,
    public_port: null,
    container_name: null,
    node_id: 1,
    reason: null,
    processes: [],
  }
}

const idsOf = (environments: readonly Environment[]) =>
  environmentsToShow(environments).map(({ id }) => id)

test('status shows the live environment of a branch, and a newer failed or building environment', () => {
  expect(
    idsOf([
      environment(1, 'main', 'destroyed'),
      environment(2, 'main', 'running'),
      environment(3, 'main', 'build_failed'),
    ]),
  ).toEqual([2, 3])
  expect(idsOf([environment(1, 'main', 'build_failed'), environment(2, 'main', 'paused')])).toEqual(
    [2],
  )
})

test('status shows a branch with only a failed deploy, and omits a destroyed branch', () => {
  expect(idsOf([environment(1, 'main', 'build_failed')])).toEqual([1])
  expect(idsOf([environment(1, 'main', 'destroyed')])).toEqual([])
})

test('status sorts branches by name', () => {
  expect(idsOf([environment(1, 'main', 'running'), environment(2, 'dev', 'running')])).toEqual([
    2, 1,
  ])
})

import { expect, test } from 'vitest'
import type { Environment, QueueEntry } from '../../../../daemon/client/contract.ts'
import { deployStep, stepText } from './deploy-step.ts'

const at = '2026-01-31T12:00:00Z'
function entry(id: number, branch: string, state: QueueEntry['state']): QueueEntry {
  return {
    id,
    project_id: 1,
    branch,
    commit_sha: null,
    operator: 'master',
    requested_at: at,
    attempts: 0,
    state,
  }
}
const row: Environment = {
  id: 7,
  project_id: 1,
  branch: { name: 'main', commit_sha: 'abcdef0123456789' },
  state: 'building',
  url: 'main--shop.localhost',
  created_at: at,
  updated_at: at,
  last_accessed_at: at,
  host_port: null,
  public_port: null,
  container_name: null,
  node_id: 1,
  reason: null,
}
const of = { projectId: 1, branch: 'main', row: undefined }

test.each([
  ['asking for the deploy', [], undefined],
  [
    'queued: position 2',
    [entry(1, 'a', 'running'), entry(2, 'b', 'waiting'), entry(3, 'main', 'waiting')],
    undefined,
  ],
  [
    'queued: an earlier deploy of the branch is going on',
    [entry(1, 'main', 'running'), entry(2, 'main', 'waiting')],
    row,
  ],
  ['fetching the commit', [entry(1, 'main', 'running')], undefined],
  ['building abcdef0', [entry(1, 'main', 'running')], row],
  [
    'starting abcdef0, waiting until it answers',
    [entry(1, 'main', 'running')],
    { ...row, host_port: 4000 },
  ],
] as const)('%s', (text, queue, found) => {
  expect(stepText(deployStep({ ...of, queue, row: found }))).toBe(text)
})

test("another project's branch of the same name is another's", () => {
  const other = { ...entry(1, 'main', 'running'), project_id: 2 }
  expect(deployStep({ ...of, queue: [other] })).toEqual({ kind: 'sent' })
})

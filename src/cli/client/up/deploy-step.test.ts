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
    reason: null,
    attempts: 0,
    state,
  }
}
const building: Environment = {
  id: 7,
  project_id: 1,
  branch: { name: 'main', commit_sha: 'abcdef0123456789' },
  state: 'building',
  url: 'main--shop.localhost',
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
const snapshot = { projectId: 1, branch: 'main', environment: undefined }

test.each([
  ['requesting the deploy', [], undefined],
  [
    'queued: position 2',
    [entry(1, 'a', 'running'), entry(2, 'b', 'waiting'), entry(3, 'main', 'waiting')],
    undefined,
  ],
  [
    'queued: waiting for an earlier deploy of the branch',
    [entry(1, 'main', 'running'), entry(2, 'main', 'waiting')],
    building,
  ],
  ['fetching the commit', [entry(1, 'main', 'running')], undefined],
  ['building abcdef0', [entry(1, 'main', 'running')], building],
  [
    'starting abcdef0, waiting for a healthy answer',
    [entry(1, 'main', 'running')],
    { ...building, host_port: 4000 },
  ],
] as const)('reports a deploy step as "%s"', (text, queue, environment) => {
  expect(stepText(deployStep({ ...snapshot, queue, environment }))).toBe(text)
})

test('ignores queue entries of another project with the same branch name', () => {
  const other = { ...entry(1, 'main', 'running'), project_id: 2 }
  expect(deployStep({ ...snapshot, queue: [other] })).toEqual({ kind: 'sent' })
})

import { expect, test } from 'vitest'
import {
  environmentDraft,
  nodeDraft,
  projectDraft,
  queueDraft,
  trashDraft,
} from '../../test/support/daemon/store/record-drafts.ts'
import { filledStore } from '../../test/support/daemon/store/temp-store.ts'
import type { Change } from '../domain/changes.ts'

/** Opens a store and records its changes from now on. */
async function observed() {
  const store = await filledStore()
  const changes: Change[] = []
  store.onChange((change) => changes.push(change))
  return { store, changes, topics: () => changes.map(({ topic }) => topic) }
}

const audit = {
  environmentId: null,
  projectId: 1,
  branch: null,
  kind: 'project_updated',
  detail: 'x',
  occurredAt: 1,
  operator: 'master',
  requestId: null,
} as const

test('a transaction announces its changes in order, after the commit and before it resolves', async () => {
  const { store, changes, topics } = await observed()
  await store.transaction(async (tx) => {
    await tx.environments.create(environmentDraft())
    await tx.transaction((inner) => inner.audit.write(audit))
    await tx.queue.put(queueDraft({ projectId: 1, branch: 'main' }))
    expect(changes).toEqual([])
  })
  expect(topics()).toEqual(['environment', 'audit_entry', 'queue_entry'])
  expect(changes[0]).toEqual({
    topic: 'environment',
    environment: await store.environments.find(1),
  })
})

test('a listener sees the committed state of a change that it is told of', async () => {
  const { store } = await observed()
  const reads: Promise<unknown>[] = []
  store.onChange((change) => {
    if (change.topic === 'environment') reads.push(store.environments.find(change.environment.id))
  })
  const created = await store.environments.create(environmentDraft())
  expect(await Promise.all(reads)).toEqual([created])
})

test('a transaction that is rolled back announces nothing', async () => {
  const { store, changes } = await observed()
  const work = store.transaction(async (tx) => {
    await tx.environments.create(environmentDraft())
    await tx.projects.update(1, { name: 'other' })
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(changes).toEqual([])
})

test('a queue entry is announced when it is put, claimed, changed, requeued and removed', async () => {
  const { store, changes, topics } = await observed()
  const { id } = await store.queue.put(queueDraft({ projectId: 1, branch: 'main' }))
  await store.queue.claim(id, { owner: 'a', until: 9 })
  await store.queue.renew(id, { owner: 'a', until: 10 })
  await store.queue.update(id, 'a', { lastError: 'no network' })
  await store.queue.release(id, 'a', { notBefore: 0, attempts: 1, lastError: 'no network' })
  await store.queue.claim(id, { owner: 'a', until: 9 })
  await store.queue.put(queueDraft({ projectId: 1, branch: 'main' }))
  await store.queue.releaseExpired(100)
  expect(topics()).toEqual([...Array(6).fill('queue_entry'), 'queue_entry_removed'])
  expect(changes.map((change) => ('entry' in change ? change.entry : undefined))).toMatchObject(
    [
      { id, state: 'waiting' },
      { id, state: 'running' },
      { id, state: 'running', lastError: 'no network' },
      { id, state: 'waiting', attempts: 1 },
      { id, state: 'running' },
      { id: id + 1, state: 'waiting' },
    ].concat(undefined as never),
  )
  await store.queue.remove(id + 1)
  expect(changes.at(-1)).toEqual({ topic: 'queue_entry_removed', id: id + 1, projectId: 1 })
})

test('projects, nodes, tokens and trash entries announce each change, and no-ops announce nothing', async () => {
  const { store, changes, topics } = await observed()
  const { id } = await store.projects.create(projectDraft({ context: 'second' }))
  await store.projects.update(id, { name: 'other' })
  await store.projects.update(id, {})
  await store.projects.update(999, { name: 'absent' })
  await store.projects.remove(id)
  await store.projects.remove(id)
  expect(topics()).toEqual(['project', 'project', 'project_removed'])
  changes.length = 0
  const node = await store.nodes.put(nodeDraft({ name: 'second' }))
  await store.nodes.update(node.id, { state: 'draining' })
  await store.nodes.remove(node.id)
  await store.nodes.remove(node.id)
  expect(topics()).toEqual(['node', 'node', 'node_removed'])
  changes.length = 0
  const draft = { name: 'ci', hash: 'a', projects: null, role: 'viewer' } as const
  const token = await store.tokens.create({
    ...draft,
    expiresAt: null,
    revokedAt: null,
    createdAt: 1,
  })
  await store.tokens.revoke(token.id, 5)
  await store.tokens.revoke(token.id, 6)
  expect(changes).toMatchObject([{ topic: 'token' }, { topic: 'token', token: { revokedAt: 5 } }])
  changes.length = 0
  const entry = await store.trash.create(trashDraft({}))
  await store.trash.update(entry.id, { state: 'purging' })
  await store.trash.remove(entry.id)
  await store.trash.remove(entry.id)
  expect(topics()).toEqual(['trash_entry', 'trash_entry', 'trash_entry_removed'])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { projectDraft, queueDraft } from '../../test/support/daemon/store/record-drafts.ts'
import { filledStore } from '../../test/support/daemon/store/temp-store.ts'
import type { QueueEntry } from '../domain/records.ts'

const lease = { owner: 'worker-1', until: 5_000 }

describe('adding to the deploy queue', () => {
  test('replaces the waiting entry of the branch and keeps its position', async () => {
    const { queue } = await filledStore()
    const first = await queue.put(queueDraft({ commitSha: 'a' }))
    await queue.put(queueDraft({ branch: 'next' }))
    const newer = await queue.put(
      queueDraft({ commitSha: 'b', operator: 'webhook:github', requestedAt: 2_000 }),
    )
    expect(newer).toEqual({
      ...first,
      commitSha: 'b',
      operator: 'webhook:github',
      requestedAt: 2_000,
    })
    expect((await queue.list()).map(({ branch }) => branch)).toEqual(['main', 'next'])
  })

  test('resets the attempts of a replaced entry', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    await queue.claim(id, lease)
    await queue.release(id, lease.owner, { notBefore: 9_000, attempts: 3, lastError: 'no route' })
    expect(await queue.put(queueDraft())).toMatchObject({
      id,
      attempts: 0,
      notBefore: 0,
      lastError: null,
    })
  })

  test('does not change the running entry of the branch', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const running = await queue.claim(id, lease)
    const waiting = await queue.put(queueDraft())
    expect(await queue.list()).toEqual([running, waiting])
    expect(waiting.id).toBeGreaterThan(id)
  })
})

describe('leasing a queue entry', () => {
  test('fails if the branch has a running entry, or if the entry was removed or leased', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    expect(await queue.claim(id, lease)).toMatchObject({ state: 'running', lease })
    const second = await queue.put(queueDraft())
    expect(await queue.claim(second.id, lease)).toBeUndefined()
    expect(await queue.claim(id, lease)).toBeUndefined()
    expect(await queue.remove(id)).toBe(true)
    expect(await queue.remove(id)).toBe(false)
    expect(await queue.claim(id, lease)).toBeUndefined()
    expect(await queue.claim(second.id, lease)).toMatchObject({ id: second.id })
  })

  test('succeeds for only one of many concurrent callers', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => queue.claim(id, { owner: `worker-${n}`, until: 9 })),
    )
    expect(claims.filter((entry) => entry !== undefined)).toHaveLength(1)
  })
})

test('only the owner of the lease can renew and update an entry', async () => {
  const { queue } = await filledStore()
  const { id } = await queue.put(queueDraft())
  await queue.claim(id, lease)
  expect(await queue.renew(id, { owner: 'other', until: 9_000 })).toBe(false)
  expect(await queue.update(id, 'other', { attempts: 9 })).toBe(false)
  expect(await queue.renew(id, { owner: lease.owner, until: 9_000 })).toBe(true)
  expect(await queue.update(id, lease.owner, { environmentId: 7, attempts: 1 })).toBe(true)
  expect(await queue.update(id, lease.owner, {})).toBe(true)
  expect(await queue.find(id)).toMatchObject({
    environmentId: 7,
    attempts: 1,
    lease: { owner: lease.owner, until: 9_000 },
  })
})

describe('releasing a queue entry', () => {
  const later = { notBefore: 9_000, attempts: 1, lastError: 'no route to host' }

  test('sets the entry back to waiting at its position, with notBefore', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    await queue.put(queueDraft({ branch: 'next' }))
    await queue.claim(id, lease)
    await queue.release(id, lease.owner, later)
    expect((await queue.list())[0]).toMatchObject({ id, state: 'waiting', lease: null, ...later })
  })

  test('removes the entry if a newer entry of the branch is waiting', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    await queue.claim(id, lease)
    const newer = await queue.put(queueDraft({ commitSha: 'b' }))
    await queue.release(id, lease.owner, later)
    expect(await queue.list()).toEqual([newer])
  })

  test('is a no-op for a caller without the lease', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const running = await queue.claim(id, lease)
    await queue.release(id, 'other', later)
    expect(await queue.find(id)).toEqual(running)
  })
})

test('releaseExpired returns entries with an expired lease, even if a newer entry replaced them', async () => {
  const { queue } = await filledStore()
  const ids: number[] = []
  for (const [branch, until] of [
    ['expired', 100],
    ['superseded', 100],
    ['held', 101],
  ] as const) {
    const { id } = await queue.put(queueDraft({ branch }))
    await queue.claim(id, { owner: 'dead', until })
    await queue.update(id, 'dead', { environmentId: id * 10 })
    ids.push(id)
  }
  const newer = await queue.put(queueDraft({ branch: 'superseded' }))
  const released = await queue.releaseExpired(100)
  expect(released.map(({ id, state, environmentId }) => ({ id, state, environmentId }))).toEqual([
    { id: ids[0], state: 'waiting', environmentId: 10 },
    { id: ids[1], state: 'waiting', environmentId: 20 },
  ])
  const left = (await queue.list()).map(({ id, state }) => [id, state])
  expect(left).toEqual([
    [ids[0], 'waiting'],
    [ids[2], 'running'],
    [newer.id, 'waiting'],
  ])
  expect(await queue.renew(ids[0] ?? 0, { owner: 'dead', until: 900 })).toBe(false)
})

test('no sequence of operations loses an entry or gives a branch two waiting or two running entries', async () => {
  const branch = fc.constantFrom('main', 'next')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), branch }),
    fc.record({
      kind: fc.constantFrom('claim' as const, 'release' as const, 'finish' as const),
      branch,
    }),
    fc.record({ kind: fc.constant('expire' as const), branch }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = await filledStore()
      await store.projects.create(projectDraft({ context: 'second' }))
      const { queue } = store
      /** The newest unfinished deploy request of each branch. */
      const owed = new Map<string, string>()
      let request = 0
      const find = async (of: string, state: QueueEntry['state']) =>
        (await queue.list()).find((entry) => entry.branch === of && entry.state === state)
      for (const { kind, branch } of steps) {
        if (kind === 'put') {
          request += 1
          owed.set(branch, `r${request}`)
          await queue.put(queueDraft({ branch, requestId: `r${request}` }))
        } else if (kind === 'claim') {
          const entry = await find(branch, 'waiting')
          const isFree = (await find(branch, 'running')) === undefined
          const claimed = entry && (await queue.claim(entry.id, { owner: 'w', until: 100 }))
          expect(claimed !== undefined).toBe(entry !== undefined && isFree)
        } else if (kind === 'release') {
          const entry = await find(branch, 'running')
          const changes = { notBefore: 0, attempts: 1, lastError: null }
          if (entry) await queue.release(entry.id, 'w', changes)
        } else if (kind === 'finish') {
          const entry = await find(branch, 'running')
          if (entry) await queue.remove(entry.id)
          if (entry && owed.get(branch) === entry.requestId) owed.delete(branch)
        } else {
          await queue.releaseExpired(100)
        }
        const entries = await queue.list()
        const keys = entries.map((entry) => `${entry.branch} ${entry.state}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const [of, requestId] of owed) {
          expect(
            entries.some((entry) => entry.branch === of && entry.requestId === requestId),
          ).toBe(true)
        }
      }
      await store.close()
    }),
    { numRuns: 60 },
  )
})

test('lists the queue entries of the given projects', async () => {
  const store = await filledStore()
  await store.projects.create(projectDraft({ context: 'second' }))
  await store.queue.put(queueDraft())
  await store.queue.put(queueDraft({ projectId: 2 }))
  expect((await store.queue.list([2])).map(({ projectId }) => projectId)).toEqual([2])
  expect(await store.queue.list([])).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { projectDraft, queueDraft } from '../../test/support/daemon/store/drafts.ts'
import { filledStore } from '../../test/support/daemon/store/temp-store.ts'
import type { QueueEntry } from '../domain/records.ts'

const lease = { owner: 'worker-1', until: 5_000 }

describe('put', () => {
  test('replaces the one that waits for the branch and keeps its place in line', async () => {
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

  test('starts the attempts of the newer one anew', async () => {
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

  test('leaves the one that runs alone', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const running = await queue.claim(id, lease)
    const waiting = await queue.put(queueDraft())
    expect(await queue.list()).toEqual([running, waiting])
    expect(waiting.id).toBeGreaterThan(id)
  })
})

describe('claim', () => {
  test('is refused while the branch has one that runs, and for one that is gone or taken', async () => {
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

  test('is won by one of many', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => queue.claim(id, { owner: `worker-${n}`, until: 9 })),
    )
    expect(claims.filter((entry) => entry !== undefined)).toHaveLength(1)
  })
})

test('only the holder of the lease renews and updates', async () => {
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

describe('release', () => {
  const later = { notBefore: 9_000, attempts: 1, lastError: 'no route to host' }

  test('puts it back at its old place, not to be tried before a time', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    await queue.put(queueDraft({ branch: 'next' }))
    await queue.claim(id, lease)
    await queue.release(id, lease.owner, later)
    expect((await queue.list())[0]).toMatchObject({ id, state: 'waiting', lease: null, ...later })
  })

  test('gives way to a newer one that waits', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    await queue.claim(id, lease)
    const newer = await queue.put(queueDraft({ commitSha: 'b' }))
    await queue.release(id, lease.owner, later)
    expect(await queue.list()).toEqual([newer])
  })

  test('by one who does not hold the lease does nothing', async () => {
    const { queue } = await filledStore()
    const { id } = await queue.put(queueDraft())
    const running = await queue.claim(id, lease)
    await queue.release(id, 'other', later)
    expect(await queue.find(id)).toEqual(running)
  })
})

test('entries whose lease has run out wait again, or are told to have given way', async () => {
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

test('whatever is done, a branch has one waiting and one running entry at most and none is lost', async () => {
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
      /** The request that each branch is owed: the newest that was not finished. */
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

test('entries of some projects are listed', async () => {
  const store = await filledStore()
  await store.projects.create(projectDraft({ context: 'second' }))
  await store.queue.put(queueDraft())
  await store.queue.put(queueDraft({ projectId: 2 }))
  expect((await store.queue.list([2])).map(({ projectId }) => projectId)).toEqual([2])
  expect(await store.queue.list([])).toEqual([])
})

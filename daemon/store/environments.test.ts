import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  environmentDraft,
  nodeDraft,
  projectDraft,
} from '../../test/support/daemon/store/record-drafts.ts'
import { filledStore, tempFolder, tempStore } from '../../test/support/daemon/store/temp-store.ts'
import type { Environment, EnvironmentState } from '../domain/records.ts'
import { isLive as isLiveState } from '../domain/states.ts'

const states: EnvironmentState[] = [
  'building',
  'build_failed',
  'running',
  'paused',
  'hibernating',
  'destroyed',
]
const isLive = ({ state }: Environment) => isLiveState(state)

describe('the live environment of a branch', () => {
  test('is the newest running or paused one, even if a later one failed or is building', async () => {
    const { environments } = await filledStore()
    await environments.create(environmentDraft({ state: 'running' }))
    const live = await environments.create(environmentDraft({ state: 'hibernating' }))
    for (const state of ['build_failed', 'building', 'destroyed'] as const) {
      await environments.create(environmentDraft({ state }))
    }
    expect(await environments.findLive(1, 'main')).toEqual(live)
    expect(await environments.findLiveByHostname(live.hostname)).toEqual(live)
    expect(await environments.listLive()).toEqual([live])
    expect(await environments.findLive(1, 'other')).toBeUndefined()
  })

  test('is chosen before the filter by node, so that an older environment on another node is not live', async () => {
    const store = await filledStore()
    await store.nodes.put(nodeDraft({ name: 'east' }))
    await store.environments.create(environmentDraft({ nodeId: 1 }))
    const moved = await store.environments.create(environmentDraft({ nodeId: 2 }))
    expect(await store.environments.listLive({ nodeId: 1 })).toEqual([])
    expect(await store.environments.listLive({ nodeId: 2 })).toEqual([moved])
    expect(await store.environments.listLive({ projectId: 1 })).toEqual([moved])
    expect(await store.environments.listLive({ projectId: 2 })).toEqual([])
  })

  test('stays correct after any sequence of creates, updates, touches, rollbacks and removals', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('create' as const),
        projectId: fc.integer({ min: 1, max: 2 }),
        branch: fc.constantFrom('main', 'next'),
        state: fc.constantFrom(...states),
      }),
      fc.record({
        kind: fc.constantFrom('update' as const, 'undone' as const),
        id: fc.integer({ min: 1, max: 12 }),
        state: fc.constantFrom(...states),
      }),
      fc.record({
        kind: fc.constant('touch' as const),
        id: fc.integer({ min: 1, max: 12 }),
        at: fc.integer({ min: 0, max: 5_000 }),
      }),
      fc.record({ kind: fc.constant('list' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = await filledStore()
        await store.projects.create(projectDraft({ context: 'second' }))
        const rows = new Map<number, Environment>()
        for (const step of steps) {
          if (step.kind === 'create') {
            const { projectId, branch, state } = step
            const draft = environmentDraft({ projectId, branch, state })
            const row = await store.environments.create(draft)
            rows.set(row.id, row)
          } else if (step.kind === 'update') {
            const row = await store.environments.update(step.id, { state: step.state }, { at: 2 })
            if (row) rows.set(row.id, row)
          } else if (step.kind === 'undone') {
            const undone = store.transaction(async (tx) => {
              await tx.environments.update(step.id, { state: step.state }, { at: 3 })
              throw new Error('undo')
            })
            await expect(undone).rejects.toThrow('undo')
          } else if (step.kind === 'touch') {
            await store.environments.touch(new Map([[step.id, step.at]]))
            const row = rows.get(step.id)
            if (row && row.lastAccessedAt < step.at) {
              rows.set(step.id, { ...row, lastAccessedAt: step.at })
            }
          } else {
            await store.environments.listLive()
          }
        }
        const all = [...rows.values()]
        const live = all.filter(
          (row) =>
            isLive(row) &&
            !all.some(
              (other) =>
                isLive(other) &&
                other.id > row.id &&
                other.projectId === row.projectId &&
                other.branch === row.branch,
            ),
        )
        expect(await store.environments.listLive()).toEqual(live)
        expect(await store.transaction((tx) => tx.environments.listLive())).toEqual(live)
        const byState = all.filter(({ state }) => state === 'paused' || state === 'building')
        expect(await store.environments.listByState(['paused', 'building'])).toEqual(byState)
        await store.close()
      }),
      { numRuns: 40 },
    )
  })
})

describe('an update of an environment', () => {
  test('changes nothing unless its state is in ifState', async () => {
    const { environments } = await filledStore()
    const { id } = await environments.create(environmentDraft({ state: 'paused' }))
    const late = await environments.update(id, { state: 'paused' }, { at: 5, ifState: ['running'] })
    expect(late).toBeUndefined()
    const woken = await environments.update(
      id,
      { state: 'running', hostPort: 41_000, reason: null },
      { at: 6, ifState: ['paused', 'hibernating'] },
    )
    expect(woken).toMatchObject({ state: 'running', hostPort: 41_000, updatedAt: 6 })
    expect(await environments.find(id)).toEqual(woken)
    expect(await environments.update(99, {}, { at: 7 })).toBeUndefined()
  })

  test('succeeds for only one of two concurrent callers with the same ifState', async () => {
    const { environments } = await filledStore()
    const { id } = await environments.create(environmentDraft({ state: 'paused' }))
    const options = { at: 5, ifState: ['paused'] } as const
    const results = await Promise.all([
      environments.update(id, { state: 'running' }, options),
      environments.update(id, { state: 'destroyed' }, options),
    ])
    expect(results.filter((row) => row !== undefined)).toHaveLength(1)
  })

  test('clears null fields and keeps missing fields', async () => {
    const { environments } = await filledStore()
    const before = await environments.create(environmentDraft())
    const after = await environments.update(before.id, { release: null, launch: null }, { at: 9 })
    expect(after).toEqual({ ...before, release: null, launch: null, updatedAt: 9 })
  })
})

test('touch never moves the last access back in time', async () => {
  const { environments } = await filledStore()
  const { id } = await environments.create(environmentDraft({ lastAccessedAt: 100 }))
  await environments.touch(
    new Map([
      [id, 50],
      [99, 70],
    ]),
  )
  expect((await environments.find(id))?.lastAccessedAt).toBe(100)
  await environments.touch(new Map([[id, 150]]))
  expect((await environments.find(id))?.lastAccessedAt).toBe(150)
  await environments.touch(new Map())
})

test('listSuccessful returns every environment that has ever run, newest first', async () => {
  const { environments } = await filledStore()
  const first = await environments.create(environmentDraft({ state: 'building' }))
  await environments.update(first.id, { state: 'running' }, { at: 2 })
  await environments.update(first.id, { state: 'destroyed', release: null }, { at: 3 })
  const failed = await environments.create(environmentDraft({ state: 'building' }))
  await environments.update(failed.id, { state: 'build_failed' }, { at: 4 })
  const second = await environments.create(environmentDraft({ state: 'running' }))
  const ids = (await environments.listSuccessful(1, 'main')).map(({ id }) => id)
  expect(ids).toEqual([second.id, first.id])
})

test('count returns the number of environments of every state, including zeros', async () => {
  const { environments } = await filledStore()
  for (const state of ['running', 'running', 'destroyed'] as const) {
    await environments.create(environmentDraft({ state }))
  }
  expect(await environments.count()).toEqual({
    building: 0,
    build_failed: 0,
    running: 2,
    paused: 0,
    hibernating: 0,
    destroyed: 1,
  })
})

test('the routing version grows only with changes that affect routing', async () => {
  const store = await filledStore()
  const { environments } = store
  let last = environments.version()
  const grown = () => {
    const isGrown = environments.version() > last
    last = environments.version()
    return isGrown
  }
  const { id } = await environments.create(environmentDraft({ state: 'building' }))
  expect(grown()).toBe(false)
  await environments.update(id, { state: 'running' }, { at: 2 })
  expect(grown()).toBe(true)
  await environments.update(id, { reason: 'crashed' }, { at: 3 })
  await environments.touch(new Map([[id, 9_000]]))
  expect(grown()).toBe(false)
  for (const change of [
    { hostPort: 41_001 },
    { hostname: 'x--shop.localhost' },
    { state: 'paused' },
  ] as const) {
    await environments.update(id, change, { at: 4 })
    expect(grown()).toBe(true)
  }
  const undone = store.transaction(async (tx) => {
    await tx.environments.update(id, { state: 'running' }, { at: 5 })
    throw new Error('undo')
  })
  await expect(undone).rejects.toThrow('undo')
  expect(grown()).toBe(false)
  await environments.update(id, { state: 'destroyed' }, { at: 6 })
  expect(grown()).toBe(true)
})

test('a host name belongs to one branch until it is released', async () => {
  const store = await filledStore()
  await store.projects.create(projectDraft({ context: 'second' }))
  const { environments } = store
  const claims = await Promise.all([
    environments.claimHostname('main--shop.localhost', 1, 'main'),
    environments.claimHostname('main--shop.localhost', 2, 'main'),
  ])
  expect(claims).toEqual([{ claimed: true }, { claimed: false, projectId: 1, branch: 'main' }])
  expect(await environments.claimHostname('main--shop.localhost', 1, 'main')).toEqual({
    claimed: true,
  })
  await environments.releaseHostname(1, 'main')
  expect(await environments.claimHostname('main--shop.localhost', 2, 'main')).toEqual({
    claimed: true,
  })
})

test('lists the environments of a project or a branch, oldest first', async () => {
  const file = `${tempFolder()}/database.sqlite`
  const { environments } = await filledStore(file)
  for (const branch of ['main', 'next', 'main']) {
    await environments.create(environmentDraft({ branch }))
  }
  const ids = async (branch?: string) => (await environments.list(1, branch)).map(({ id }) => id)
  expect(await ids()).toEqual([1, 2, 3])
  expect(await ids('main')).toEqual([1, 3])
  expect(await ids('absent')).toEqual([])
  expect(await (await tempStore(file)).environments.listLive()).toHaveLength(2)
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { Project } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'

let rig: Rig
let project: Project
beforeEach(async () => {
  rig = await createRig()
  const { projects } = rig.app.useCases
  project = await projects.register({ repoUrl: 'https://git.example.com/team/shop.git' }, operator)
})
afterEach(async () => {
  await rig.close()
})

const delivery = {
  remoteKey: 'git.example.com/team/shop',
  branch: 'main',
  isDeleted: false,
  host: 'github',
  deliveryId: 'd1' as string | null,
  projectIds: null as readonly number[] | null,
  actor: { ...operator, operator: 'webhook:github' },
}

const push = (changes: Partial<typeof delivery> = {}) =>
  rig.app.useCases.deploys.push({ ...delivery, ...changes })

describe('a push', () => {
  test('is persisted before the response and deployed afterwards', async () => {
    rig.commit('main')
    expect(await push()).toEqual({ kind: 'queued', projectIds: [project.id] })
    await rig.until(async () => (await rig.store.environments.listLive()).length === 1)
    const [row] = await rig.store.environments.listLive()
    expect(row).toMatchObject({ operator: 'webhook:github', projectId: project.id })
  })

  test('with a duplicate delivery id is ignored', async () => {
    rig.commit('main')
    await push()
    await rig.until(async () => (await rig.store.environments.listLive()).length === 1)
    expect(await push()).toMatchObject({ kind: 'ignored' })
    expect(await rig.store.queue.list()).toEqual([])
    expect(await push({ deliveryId: 'd2' })).toMatchObject({ kind: 'queued' })
    expect(await push({ deliveryId: null })).toMatchObject({ kind: 'queued' })
  })

  test('that is replayed with a new delivery id deploys the current head, not its old commit', async () => {
    rig.commit('main')
    await push({ deliveryId: 'd1' })
    const live = async () => (await rig.store.environments.listLive())[0]
    await rig.until(async () => (await live()) !== undefined)
    const head = rig.commit('main')
    await push({ deliveryId: 'd2' })
    await rig.until(async () => (await live())?.commitSha === head)
    for (const deliveryId of ['d3', 'd4', 'd5']) await push({ deliveryId })
    await rig.until(async () => (await rig.store.queue.list()).length === 0)
    expect(await live()).toMatchObject({ commitSha: head, state: 'running' })
  })

  test('is refused with 1,000 waiting deploys of other branches of its project', async () => {
    await rig.app.stop()
    const other = await rig.app.useCases.projects.register(
      { repoUrl: 'https://git.example.com/team/other.git' },
      operator,
    )
    await rig.store.transaction(async ({ queue }) => {
      for (let at = 0; at < 1_000; at += 1) {
        const [branch, requestId] = [`b${at}`, 'request-1']
        const draft = { branch, commitSha: null, operator: 'master', requestId, requestedAt: 1 }
        await queue.put({ projectId: project.id, ...draft })
      }
    })
    await expect(push()).rejects.toMatchObject({
      kind: 'throttled',
      message: expect.stringContaining('1000 deploys of the project wait already'),
    })
    expect(await push({ branch: 'b7' })).toMatchObject({ kind: 'queued' })
    expect(await push({ remoteKey: 'git.example.com/team/other', deliveryId: 'd2' })).toEqual({
      kind: 'queued',
      projectIds: [other.id],
    })
  })

  test('to an unknown repository is reported, and its delivery id is not stored', async () => {
    expect(await push({ remoteKey: 'git.example.com/shop' })).toEqual({
      kind: 'unknown-repository',
    })
    rig.commit('main')
    expect(await push()).toMatchObject({ kind: 'queued' })
  })

  test('to a branch that the filters exclude is ignored', async () => {
    const { projects } = rig.app.useCases
    const changes = { branches: ['main', 'release/*'], ignore: ['release/0*'] }
    await projects.update(project.id, changes, operator)
    for (const branch of ['feature', 'release/0.1', 'release/1/2', 'a..b']) {
      expect(await push({ branch, deliveryId: branch })).toMatchObject({ kind: 'ignored' })
    }
    expect(await push({ branch: 'release/1', deliveryId: 'r' })).toMatchObject({ kind: 'queued' })
  })

  test('of a deleted branch ends its environments, waiting deploys and running deploys', async () => {
    rig.commit('main')
    await push()
    await rig.until(async () => (await rig.store.environments.listLive()).length === 1)
    await rig.until(async () => (await rig.store.queue.list()).length === 0)
    const [live] = await rig.store.environments.listLive()
    rig.builder.gates.shut('build')
    const going = rig.deploy('main', project).catch((error) => error)
    await rig.builder.gates.reached('build')
    const waiting = rig.deploy('main', project).catch((error) => error)
    await settled()
    rig.git.upstream.delete('main')
    const outcome = await push({ isDeleted: true, deliveryId: 'd2' })
    expect(outcome).toMatchObject({ kind: 'destroyed' })
    expect(outcome.kind === 'destroyed' && outcome.environmentIds[0]).toBe(live?.id)
    expect(await waiting).toMatchObject({ kind: 'not-found' })
    expect(await going).toMatchObject({ kind: 'not-found' })
    await rig.until(() => rig.runtime.running.size === 0)
    const rows = await rig.store.environments.list(project.id)
    expect(rows.map(({ state }) => state)).toEqual(['destroyed', 'destroyed'])
    expect(await rig.store.queue.list()).toEqual([])
    expect(rig.gateway.routes.size).toBe(0)
    expect(rig.errors).toEqual([])
  })
})

describe('a push that deletes a branch', () => {
  const deletion = { isDeleted: true, deliveryId: 'd2' }

  test('has no effect if the branch exists at the remote, also for a replay', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main', project)
    rig.git.upstream.delete('main')
    expect(await push(deletion)).toMatchObject({ kind: 'destroyed', environmentIds: [id] })
    rig.commit('main')
    const again = await rig.deployed('main', project)
    for (const deliveryId of ['replayed-1', 'replayed-2', null]) {
      const outcome = await push({ ...deletion, deliveryId })
      expect(outcome).toMatchObject({ kind: 'ignored', why: expect.stringContaining('exists') })
    }
    expect((await rig.row(again.id)).state).toBe('running')
    expect(rig.gateway.routes.get(again.hostname)).toMatchObject({ environmentId: again.id })
  })

  test('has no effect if the remote can not be asked, until it is delivered again', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main', project)
    rig.git.upstream.delete('main')
    rig.git.faults.push(new DaemonError('transient', 'could not reach git.example.com'))
    expect(await push(deletion)).toMatchObject({
      kind: 'ignored',
      why: expect.stringContaining('did not confirm'),
    })
    expect((await rig.row(id)).state).toBe('running')
    expect(await push(deletion)).toMatchObject({ kind: 'destroyed', environmentIds: [id] })
  })

  test('has no effect if the remote does not answer in time', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main', project)
    rig.git.gates.shut('fetch')
    const outcome = push(deletion)
    await rig.git.gates.reached('fetch')
    await rig.clock.advance(8_000)
    expect(await outcome).toMatchObject({ kind: 'ignored' })
    expect((await rig.row(id)).state).toBe('running')
  })

  test('keeps a deploy that was requested while the remote was asked', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main', project)
    rig.git.upstream.delete('main')
    rig.git.gates.shut('fetch')
    const outcome = push(deletion)
    await rig.git.gates.reached('fetch')
    rig.builder.gates.shut('build')
    await push({ deliveryId: 'd3', actor: { ...delivery.actor, requestId: 'request-3' } })
    rig.git.gates.open('fetch')
    expect(await outcome).toMatchObject({ kind: 'ignored' })
    expect(await rig.store.environments.findLive(project.id, 'main')).toMatchObject({ id })
    rig.builder.gates.open('build')
  })
})

test('a branch deleted without a webhook is destroyed within an hour', async () => {
  rig.commit('main')
  rig.commit('gone')
  await rig.deployed('main', project)
  const { id } = await rig.deployed('gone', project)
  rig.git.upstream.delete('gone')
  rig.app.useCases.activity.heartbeat('main--shop.localhost')
  await rig.clock.advance(3_700_000)
  await rig.until(async () => (await rig.row(id)).state === 'destroyed')
  expect(await rig.store.environments.findLive(project.id, 'main')).toBeDefined()
  rig.git.upstream.clear()
  await rig.clock.advance(3_700_000)
  expect(await rig.store.environments.findLive(project.id, 'main')).toBeDefined()
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { DaemonError } from '../../errors.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const launchOf = (memoryMb: number) => ({ ...rig.builder.launch, memoryMb })

describe('the deploy queue', () => {
  test('drains a burst without waiting for a timer', async () => {
    const branches = Array.from({ length: 12 }, (_, index) => `b${index}`)
    branches.forEach(rig.commit)
    const outcomes = await Promise.all(branches.map((branch) => rig.deploy(branch)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(branches.map(() => 'running'))
  })

  test('runs one deploy of a branch at a time, and a newer push replaces the waiting one', async () => {
    rig.commit('main')
    rig.builder.gates.shut('build')
    const first = rig.deploy('main')
    await rig.builder.gates.reached('build')
    rig.commit('main')
    const second = rig.deploy('main')
    await settled()
    const sha = rig.commit('main')
    const third = rig.deploy('main')
    await settled()
    expect((await rig.store.queue.list()).map(({ state }) => state)).toEqual(['running', 'waiting'])
    rig.builder.gates.open('build')
    const outcomes = await Promise.all([first, second, third])
    expect(outcomes[1]).toEqual(outcomes[2])
    expect(outcomes[2]).toMatchObject({ kind: 'running', environment: { commitSha: sha } })
    expect(rig.builder.builds).toBe(2)
    await settled()
    expect(await rig.store.environments.listLive()).toHaveLength(1)
    expect(rig.runtime.running.size).toBe(1)
  })

  test('deploys the commit at the head of the branch when the deploy starts, not when it was requested', async () => {
    rig.commit('main')
    rig.git.gates.shut('fetch')
    const deploy = rig.deploy('main')
    await rig.git.gates.reached('fetch')
    const sha = rig.commit('main')
    rig.git.gates.open('fetch')
    expect(await deploy).toMatchObject({ environment: { commitSha: sha } })
  })

  test('returns the queue position at once if the caller does not wait', async () => {
    rig.commit('a')
    rig.commit('b')
    rig.builder.gates.shut('build')
    const { deploys, queue } = rig.app.useCases
    const ask = (branch: string) =>
      deploys.deploy(rig.project.id, { branch, wait: false }, operator)
    expect(await ask('a')).toEqual({ kind: 'queued', position: 1 })
    await rig.builder.gates.reached('build')
    expect(await ask('a')).toEqual({ kind: 'queued', position: 1 })
    expect(await ask('b')).toEqual({ kind: 'queued', position: 2 })
    await settled()
    const [running, waiting] = await queue.list(null)
    expect([running?.state, waiting?.state]).toEqual(['running', 'waiting'])
    await expect(queue.remove(running?.id ?? 0, operator)).rejects.toMatchObject({
      kind: 'conflict',
    })
    await queue.remove(waiting?.id ?? 0, operator)
    await expect(queue.remove(99, operator)).rejects.toMatchObject({ kind: 'not-found' })
    rig.builder.gates.open('build')
    await rig.until(async () => (await queue.list(null)).length === 0)
    expect(rig.builder.builds).toBe(2)
  })

  test("lets another project's deploy start before many queued deploys of one project", async () => {
    await rig.app.stop()
    const other = await rig.addProject('other')
    const many = ['a', 'b', 'c', 'd']
    many.forEach(rig.commit)
    for (const branch of many) {
      await rig.app.useCases.deploys.deploy(rig.project.id, { branch, wait: false }, operator)
    }
    await rig.app.useCases.deploys.deploy(other.id, { branch: 'd', wait: false }, operator)
    rig.builder.gates.shut('build')
    await rig.restart()
    await rig.builder.gates.reached('build')
    await settled()
    const going = (await rig.store.queue.list()).filter(({ state }) => state === 'running')
    expect(going.map(({ projectId, branch }) => [projectId, branch])).toEqual([
      [rig.project.id, 'a'],
      [other.id, 'd'],
    ])
    rig.builder.gates.open('build')
    await rig.until(async () => (await rig.store.queue.list()).length === 0)
  })

  test('attempts a deploy with transient faults five times, then records the reason', async () => {
    rig.commit('main')
    const fault = new DaemonError('transient', 'the remote does not answer')
    rig.git.faults.push(fault, fault, fault, fault, fault)
    const deploy = rig.deploy('main')
    await settled()
    for (const seconds of [2, 10, 30, 60]) {
      const [entry] = await rig.store.queue.list()
      expect(entry).toMatchObject({ state: 'waiting', lastError: 'the remote does not answer' })
      await rig.clock.advance(seconds * 1000 - 1)
      expect(await rig.store.queue.find(entry?.id ?? 0)).toMatchObject({
        attempts: entry?.attempts,
      })
      await rig.clock.advance(1)
    }
    expect(await deploy).toMatchObject({ kind: 'failed', reason: 'the remote does not answer' })
    expect(rig.git.fetches).toBe(5)
    const [row] = await rig.store.environments.list(rig.project.id)
    expect(row).toMatchObject({
      state: 'build_failed',
      reason: 'the remote does not answer (tried 5 times)',
    })
    expect(await rig.store.queue.list()).toEqual([])
  })

  test('succeeds on a retry after a transient fault', async () => {
    rig.commit('main')
    rig.git.faults.push(new DaemonError('transient', 'the remote does not answer'))
    const deploy = rig.deploy('main')
    await settled()
    await rig.clock.advance(2000)
    expect(await deploy).toMatchObject({ kind: 'running' })
  })
})

describe('memory admission', () => {
  test('queues a deploy that does not fit, informs its caller, and runs it when memory is freed', async () => {
    rig.runtime.memoryMb = 600
    rig.builder.launch = launchOf(512)
    rig.commit('one')
    rig.commit('two')
    const one = await rig.deployed('one')
    expect(await rig.deploy('two')).toEqual({ kind: 'queued', position: 1 })
    const [entry] = await rig.store.queue.list()
    expect(entry).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(entry?.lastError).toContain('512 MiB')
    await rig.app.useCases.environments.pause(one.id, operator)
    await rig.until(async () => {
      const two = await rig.store.environments.findLive(rig.project.id, 'two')
      return two?.state === 'running'
    })
  })

  test('admits a new version of a running app on a full host', async () => {
    rig.runtime.memoryMb = 600
    rig.builder.launch = launchOf(512)
    rig.commit('main')
    await rig.deployed('main')
    await rig.deployed('main')
    rig.builder.launch = launchOf(600)
    await rig.deployed('main')
  })

  test('fails a deploy that fits no node', async () => {
    rig.runtime.memoryMb = 600
    rig.builder.launch = launchOf(601)
    rig.commit('main')
    const outcome = await rig.deploy('main')
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(outcome)).toContain('601 MiB')
    const [row] = await rig.store.environments.list(rig.project.id)
    expect(row?.state).toBe('build_failed')
  })

  test('gives the last free memory to only one of two concurrent deploys', async () => {
    rig.runtime.memoryMb = 600
    rig.builder.launch = launchOf(512)
    rig.commit('one')
    rig.commit('two')
    const outcomes = await Promise.all([rig.deploy('one'), rig.deploy('two')])
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['queued', 'running'])
    expect(rig.runtime.running.size).toBe(1)
  })

  test('keeps small deploys from overtaking a large waiting deploy', async () => {
    rig.runtime.memoryMb = 1000
    rig.builder.launch = launchOf(400)
    for (const branch of ['one', 'two', 'large', 'small']) rig.commit(branch)
    const one = await rig.deployed('one')
    const two = await rig.deployed('two')
    rig.builder.launch = launchOf(800)
    expect(await rig.deploy('large')).toMatchObject({ kind: 'queued' })
    rig.builder.launch = launchOf(100)
    expect(await rig.deploy('small')).toMatchObject({ kind: 'queued' })
    const { environments } = rig.app.useCases
    rig.builder.launch = launchOf(800)
    await environments.pause(one.id, operator)
    await settled()
    expect(await rig.store.environments.findLive(rig.project.id, 'small')).toBeUndefined()
    await environments.pause(two.id, operator)
    await rig.until(async () => {
      const large = await rig.store.environments.findLive(rig.project.id, 'large')
      return large?.state === 'running'
    })
    expect(await rig.store.environments.findLive(rig.project.id, 'small')).toBeUndefined()
  })

  test('gives freed memory to the projects in turn', async () => {
    rig.runtime.memoryMb = 600
    rig.builder.launch = launchOf(512)
    for (const branch of ['main', 'a', 'b', 'c']) rig.commit(branch)
    const other = await rig.addProject('other')
    const main = await rig.deployed('main')
    for (const branch of ['a', 'b', 'c']) await rig.deploy(branch)
    expect(await rig.deploy('main', other)).toMatchObject({ kind: 'queued', position: 4 })
    const live = async (projectId: number, branch: string) =>
      rig.until(async () => {
        const row = await rig.store.environments.findLive(projectId, branch)
        return row?.state === 'running'
      })
    const { environments } = rig.app.useCases
    await environments.pause(main.id, operator)
    await live(other.id, 'main')
    const [shop] = await rig.store.environments.listLive({ projectId: other.id })
    await environments.pause(shop?.id ?? 0, operator)
    await live(rig.project.id, 'a')
  })
})

test('a deploy that waits for its health check leaves its slot', async () => {
  const branches = ['a', 'b', 'c', 'd']
  for (const branch of branches) rig.commit(branch)
  for (const id of [1, 2, 3, 4]) rig.runtime.gates.shut(`healthy:${id}`)
  const deploys = branches.map((branch) => rig.deploy(branch))
  for (const id of [1, 2, 3, 4]) await rig.runtime.gates.reached(`healthy:${id}`)
  expect(rig.builder.builds).toBe(4)
  for (const id of [1, 2, 3, 4]) rig.runtime.gates.open(`healthy:${id}`)
  expect((await Promise.all(deploys)).map(({ kind }) => kind)).toEqual(
    branches.map(() => 'running'),
  )
})

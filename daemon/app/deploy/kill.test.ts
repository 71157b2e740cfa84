import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { fakeInstance } from '../../../test/support/daemon/app/fake-runtime.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { deploySteps } from '../../domain/deploy-steps.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

/** Asserts that one version runs and serves, and that no leftovers of an interrupted deploy exist. */
async function expectWhole(branch: string, commitSha: string): Promise<void> {
  await rig.until(async () => (await rig.store.queue.list()).length === 0)
  const live = await rig.store.environments.findLive(rig.project.id, branch)
  expect(live).toMatchObject({ state: 'running', commitSha })
  const name = `strata-${live?.id}`
  await rig.until(() => [...rig.runtime.running.keys()].join() === name)
  expect(rig.gateway.routes.get(live?.hostname ?? '')).toMatchObject({
    environmentId: live?.id,
    port: rig.runtime.running.get(name)?.port,
  })
  expect(await rig.store.environments.listByState(['building'])).toEqual([])
  await rig.until(async () => {
    const folders = await readdir(join(rig.dataDir, 'releases', String(rig.project.id)))
    const known = (await rig.store.environments.list(rig.project.id)).map(({ release }) => release)
    return folders.every((name) => known.includes(`${rig.project.id}/${name}`))
  })
  expect(rig.errors).toEqual([])
}

describe('a daemon killed during a deploy', () => {
  const before = deploySteps.slice(0, deploySteps.indexOf('drain'))

  test.each(before)(
    'repeats the deploy after its restart if killed before the step %s',
    async (step) => {
      rig.commit('main')
      const old = await rig.deployed('main')
      const sha = rig.commit('main')
      rig.failpoints.shut(`deploy:${step}`)
      const { deploys } = rig.app.useCases
      await deploys.deploy(rig.project.id, { branch: 'main', wait: false }, operator)
      await rig.failpoints.reached(`deploy:${step}`)
      expect(rig.gateway.routes.get(old.hostname)).toMatchObject({ environmentId: old.id })
      await rig.restart()
      await expectWhole('main', sha)
      const rows = await rig.store.environments.list(rig.project.id)
      const begun = rows.filter(({ reason }) => reason?.includes('interrupted by a restart'))
      expect(begun.length).toBe(['fetch', 'checkout', 'admit'].includes(step) ? 0 : 1)
      expect(begun.every(({ state }) => state === 'build_failed')).toBe(true)
    },
  )

  test.each(['switched', 'drain', 'stop-old', 'prune'])(
    'does not repeat the finished deploy after its restart if killed at the step %s',
    async (step) => {
      rig.commit('main')
      await rig.deployed('main')
      const sha = rig.commit('main')
      rig.failpoints.shut(`deploy:${step}`)
      const { deploys } = rig.app.useCases
      await deploys.deploy(rig.project.id, { branch: 'main', wait: false }, operator)
      await rig.failpoints.reached(`deploy:${step}`)
      await rig.restart()
      await expectWhole('main', sha)
      expect(rig.builder.builds).toBe(2)
      expect(await rig.store.environments.list(rig.project.id)).toHaveLength(2)
    },
  )

  test('runs the queued deploys after its restart', async () => {
    for (const branch of ['a', 'b', 'c', 'd']) rig.commit(branch)
    rig.builder.gates.shut('build')
    const { deploys } = rig.app.useCases
    for (const branch of ['a', 'b', 'c', 'd']) {
      await deploys.deploy(rig.project.id, { branch, wait: false }, operator)
    }
    await rig.builder.gates.reached('build')
    await settled()
    rig.builder.gates.abandon()
    await rig.restart()
    await rig.until(async () => (await rig.store.environments.listLive()).length === 4)
    expect(rig.runtime.running.size).toBe(4)
  })
})

describe('a killed daemon', () => {
  async function running() {
    const sha = rig.commit('main')
    return { sha, ...(await rig.deployed('main')) }
  }

  test.each(['pause:hold', 'pause:row'])(
    'leaves the environment running if killed at %s',
    async (step) => {
      const { id, sha } = await running()
      rig.failpoints.shut(step)
      rig.app.useCases.environments.pause(id, operator).catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await expectWhole('main', sha)
    },
  )

  test('stops the app of a paused environment after its restart if killed at pause:stop', async () => {
    const { id, hostname } = await running()
    rig.failpoints.shut('pause:stop')
    rig.app.useCases.environments.pause(id, operator).catch(() => undefined)
    await rig.failpoints.reached('pause:stop')
    await rig.restart()
    await rig.until(() => rig.runtime.running.size === 0)
    expect((await rig.row(id)).state).toBe('paused')
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: null })
  })

  test.each(['wake:start', 'wake:running'])(
    'leaves the environment asleep if killed at %s, and a later wake succeeds',
    async (step) => {
      const { id, sha } = await running()
      await rig.app.useCases.environments.pause(id, operator)
      rig.failpoints.shut(step)
      rig.gateway.ask(id).catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(() => rig.runtime.running.size === 0)
      expect((await rig.row(id)).state).toBe('paused')
      await rig.gateway.ask(id)
      await expectWhole('main', sha)
    },
  )

  test('leaves the environment awake if killed at wake:route', async () => {
    const { id, sha } = await running()
    await rig.app.useCases.environments.pause(id, operator)
    rig.failpoints.shut('wake:route')
    rig.gateway.ask(id).catch(() => undefined)
    await rig.failpoints.reached('wake:route')
    await rig.restart()
    await expectWhole('main', sha)
  })

  test.each(['destroy:unroute', 'destroy:stop', 'destroy:clear'])(
    'completes the destruction of an environment after its restart if killed at %s',
    async (step) => {
      const { id, hostname } = await running()
      rig.failpoints.shut(step)
      const input = { purgeSecrets: false }
      rig.app.useCases.environments.destroy(id, input, operator).catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(() => rig.runtime.running.size === 0)
      expect(rig.gateway.routes.has(hostname)).toBe(false)
      expect((await rig.row(id)).state).toBe('destroyed')
      await rig.until(async () => (await readdir(join(rig.dataDir, 'releases', '1'))).length === 0)
    },
  )

  test('restarts apps that exited meanwhile and holds their requests', async () => {
    const { id, sha } = await running()
    rig.runtime.running.clear()
    rig.runtime.gates.shut(`start:${id}`)
    await rig.restart()
    const asked = rig.gateway.ask(id)
    await rig.runtime.gates.reached(`start:${id}`)
    rig.runtime.gates.open(`start:${id}`)
    expect(await asked).toMatchObject({ port: rig.runtime.running.get(`strata-${id}`)?.port })
    await expectWhole('main', sha)
  })

  test('stops stray processes after its restart', async () => {
    const { sha } = await running()
    rig.runtime.running.set('strata-77', fakeInstance(77, 1))
    await rig.restart()
    await expectWhole('main', sha)
  })
})

test('a stopped daemon requeues running deploys, and the next daemon runs them', async () => {
  const sha = rig.commit('main')
  rig.builder.gates.shut('build')
  const deploy = rig.deploy('main')
  await rig.builder.gates.reached('build')
  const stop = rig.app.stop()
  await settled()
  await rig.clock.advance(3000)
  await stop
  expect(await deploy).toMatchObject({ kind: 'queued' })
  expect(await rig.store.queue.list()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  expect(await rig.store.environments.listByState(['building'])).toEqual([])
  rig.builder.gates.abandon()
  await rig.restart()
  await expectWhole('main', sha)
})

test('a stopping daemon waits for a deploy that ends within the grace time', async () => {
  rig.commit('main')
  rig.builder.gates.shut('build')
  const deploy = rig.deploy('main')
  await rig.builder.gates.reached('build')
  const stop = rig.app.stop()
  rig.builder.gates.open('build')
  await stop
  expect(await deploy).toMatchObject({ kind: 'running' })
})

test('a deploy that lost its lease writes nothing', async () => {
  rig.commit('main')
  rig.builder.gates.shut('build')
  const deploy = rig.deploy('main')
  await rig.builder.gates.reached('build')
  const [entry] = await rig.store.queue.list()
  await rig.store.queue.releaseExpired(Number.MAX_SAFE_INTEGER)
  await rig.store.queue.claim(entry?.id ?? 0, { owner: 'other', until: Number.MAX_SAFE_INTEGER })
  rig.builder.gates.open('build')
  expect(await deploy).toEqual({ kind: 'queued', position: 0 })
  const [row] = await rig.store.environments.list(rig.project.id)
  expect(row?.state).toBe('building')
  expect(await rig.store.queue.list()).toMatchObject([{ lease: { owner: 'other' } }])
  expect(rig.runtime.running.size).toBe(0)
})

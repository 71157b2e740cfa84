import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const untilLive = ['start', 'await-healthy', 'switch-route']
const ending = ['switched', 'drain', 'stop-old', 'prune']

/** Runs a deploy or a rollback and returns the failpoints that it passes. */
async function stepsOf(deploy: () => Promise<unknown>): Promise<string[]> {
  const first = rig.failpoints.passed.length
  await deploy()
  const names = () => rig.failpoints.passed.slice(first).map((name) => name.replace('deploy:', ''))
  await rig.until(() => names().at(-1) === 'prune')
  return names()
}

function rollBack(toSha: string) {
  const { deploys } = rig.app.useCases
  return deploys.rollback(rig.project.id, { branch: 'main', toSha, wait: true }, operator)
}

describe('the deploy executor', () => {
  test('fetches, checks out and builds the head of a branch', async () => {
    rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    expect(await stepsOf(() => rig.deployed('main'))).toEqual([
      ...['fetch', 'checkout', 'admit', 'database', 'build'],
      ...untilLive,
      ...ending,
    ])
  })

  test('starts at admit if the release of an earlier commit is kept', async () => {
    const sha = rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    await rig.deployed('main')
    expect(await stepsOf(() => rollBack(sha))).toEqual([
      'admit',
      'database',
      ...untilLive,
      ...ending,
    ])
  })

  test('builds an earlier commit from the mirror without a fetch if its release is gone', async () => {
    const sha = rig.commit('main')
    const { release } = await rig.deployed('main')
    rig.commit('main')
    await rig.deployed('main')
    await rm(join(rig.dataDir, 'releases', String(release)), { recursive: true })
    expect(await stepsOf(() => rollBack(sha))).toEqual([
      ...['checkout', 'admit', 'database', 'build'],
      ...untilLive,
      ...ending,
    ])
  })

  test('fetches an earlier commit that neither the mirror nor a release has', async () => {
    const sha = rig.commit('main')
    const { release } = await rig.deployed('main')
    rig.commit('main')
    await rig.deployed('main')
    await rm(join(rig.dataDir, 'releases', String(release)), { recursive: true })
    rig.git.has = async () => rig.git.fetches > 2
    expect(await stepsOf(() => rollBack(sha))).toEqual([
      ...['fetch', 'checkout', 'admit', 'database', 'build'],
      ...untilLive,
      ...ending,
    ])
  })

  test('keeps the new version if an error follows the commit that made it live', async () => {
    rig.commit('main')
    const old = await rig.deployed('main')
    rig.commit('main')
    const { route } = rig.gateway
    rig.gateway.route = async (update) => {
      rig.gateway.route = route
      await route(update)
      throw new Error('the gateway closed its connection')
    }
    const live = await rig.deployed('main')
    await rig.until(() => rig.runtime.stopped.includes(`strata-${old.id}`))
    expect([...rig.runtime.running.keys()]).toEqual([`strata-${live.id}`])
    expect(await rig.row(live.id)).toMatchObject({ state: 'running' })
    expect(await rig.store.queue.list()).toEqual([])
    expect(rig.errors).toEqual([expect.objectContaining({ environmentId: live.id })])
  })
})

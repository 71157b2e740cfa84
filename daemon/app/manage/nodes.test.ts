import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, type Rig, someone } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const second = { name: 'second', endpoint: 'local', address: null, tls: null, reservedMemoryMb: 0 }

test('a daemon begins with this host as its node', async () => {
  expect(await rig.core.useCases.nodes.list()).toMatchObject([
    { name: 'local', endpoint: 'local', state: 'active' },
  ])
})

test('a known name is corrected, another engine and tls are refused', async () => {
  const { nodes } = rig.core.useCases
  const node = await nodes.register(second, someone)
  const corrected = await nodes.register({ ...second, reservedMemoryMb: 64 }, someone)
  expect(corrected).toMatchObject({ id: node.id, reservedMemoryMb: 64 })
  const remote = { ...second, endpoint: 'tcp://10.0.0.2:2376' }
  await expect(nodes.register(remote, someone)).rejects.toMatchObject({
    kind: 'bad-request',
    message: expect.stringContaining('docker runtime'),
  })
})

test('a node that does not answer is refused and nothing is written', async () => {
  rig.runtime.capacity = () => Promise.reject(new Error('connection refused'))
  const { nodes } = rig.core.useCases
  await expect(nodes.register(second, someone)).rejects.toMatchObject({
    kind: 'bad-request',
    message: expect.stringContaining('connection refused'),
  })
  expect(await nodes.list()).toHaveLength(1)
})

describe('draining', () => {
  test('takes no new placements; evacuation moves what is live at the commit it runs', async () => {
    const { nodes } = rig.core.useCases
    const sha = rig.commit('main')
    const running = await rig.deployed('main')
    rig.commit('main')
    rig.commit('asleep')
    const asleep = await rig.deployed('asleep')
    await rig.core.useCases.environments.pause(asleep.id, someone)
    const target = await nodes.register(second, someone)
    const { node, moved, stuck } = await nodes.update(running.nodeId, { evacuate: true }, someone)
    expect(node.state).toBe('draining')
    expect([...moved].sort()).toEqual([running.id, asleep.id])
    expect(stuck).toEqual([])
    const live = await rig.store.environments.listLive({ nodeId: target.id })
    expect(live).toHaveLength(2)
    expect(live.find(({ branch }) => branch === 'main')?.commitSha).toBe(sha)
    await expect(nodes.remove(running.nodeId, someone)).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('with nowhere to go says what is stuck, and why', async () => {
    rig.commit('main')
    const { id, nodeId } = await rig.deployed('main')
    const { nodes } = rig.core.useCases
    const result = await nodes.update(nodeId, { state: 'draining', evacuate: true }, someone)
    expect(result).toMatchObject({ moved: [], stuck: [{ environmentId: id }] })
    rig.commit('new')
    expect(await rig.deploy('new')).toMatchObject({ kind: 'queued' })
    await nodes.update(nodeId, { state: 'active' }, someone)
    await rig.until(async () => (await rig.store.environments.listLive()).length === 2)
  })

  test('a node is down by a failed probe alone, and comes back as what it was', async () => {
    const { nodes } = rig.core.useCases
    const [local] = await nodes.list()
    const id = local?.id ?? 0
    await expect(nodes.update(id, { state: 'down' }, someone)).rejects.toMatchObject({
      kind: 'bad-request',
    })
    await nodes.update(id, { state: 'draining' }, someone)
    const { capacity } = rig.runtime
    rig.runtime.capacity = () => Promise.reject(new Error('connection refused'))
    await rig.clock.advance(30_000)
    expect(await rig.store.nodes.find(id)).toMatchObject({
      state: 'down',
      reason: 'it does not answer: connection refused',
    })
    rig.runtime.capacity = capacity
    await rig.clock.advance(30_000)
    expect(await rig.store.nodes.find(id)).toMatchObject({ state: 'draining', reason: null })
  })
})

test('a node that nothing refers to is removed', async () => {
  const { nodes } = rig.core.useCases
  const { id } = await nodes.register(second, someone)
  await nodes.remove(id, someone)
  await expect(nodes.remove(id, someone)).rejects.toMatchObject({ kind: 'not-found' })
})

test('stats count what is there', async () => {
  rig.commit('main')
  await rig.deployed('main')
  const stats = await rig.core.useCases.stats.read()
  expect(stats).toMatchObject({
    projects: 1,
    environments: { running: 1, destroyed: 0 },
    queueLength: 0,
    nodes: [{ name: 'local', committedMemoryMb: 256, environmentsLive: 1, cpuCount: 2 }],
  })
})

test('infra says what is wired, what is not, and what to do', async () => {
  await rig.close()
  // Nothing answers HTTP at port 1.
  rig = await createRig({ config: { gatewayPort: 1 } })
  const { infra } = rig.core.useCases
  const status = await infra.bootstrap(someone)
  const checks = Object.fromEntries(status.checks.map(({ name, ok }) => [name, ok]))
  expect(checks).toMatchObject({ git: true, node: true, 'data folder': true, gateway: false })
  expect(status.nextSteps.join()).toContain('start the gateway')
})

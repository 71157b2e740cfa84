import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const second = { name: 'second', endpoint: 'local', address: null, tls: null, reservedMemoryMb: 0 }

test('a new daemon has this host as its only node', async () => {
  expect(await rig.app.useCases.nodes.list()).toMatchObject([
    { name: 'local', endpoint: 'local', state: 'active' },
  ])
})

test('registering a known node updates it; remote engines and tls are refused', async () => {
  const { nodes } = rig.app.useCases
  const node = await nodes.register(second, operator)
  const corrected = await nodes.register({ ...second, reservedMemoryMb: 64 }, operator)
  expect(corrected).toMatchObject({ id: node.id, reservedMemoryMb: 64 })
  const remote = { ...second, endpoint: 'tcp://10.0.0.2:2376' }
  await expect(nodes.register(remote, operator)).rejects.toMatchObject({
    kind: 'bad-request',
    message: expect.stringContaining('docker runtime'),
  })
})

test('registering a node that does not respond is refused and writes nothing', async () => {
  rig.runtime.capacity = () => Promise.reject(new Error('connection refused'))
  const { nodes } = rig.app.useCases
  await expect(nodes.register(second, operator)).rejects.toMatchObject({
    kind: 'bad-request',
    message: expect.stringContaining('connection refused'),
  })
  expect(await nodes.list()).toHaveLength(1)
})

describe('a draining node', () => {
  test('accepts no new placements, and evacuation moves live environments at their current commit', async () => {
    const { nodes } = rig.app.useCases
    const sha = rig.commit('main')
    const running = await rig.deployed('main')
    rig.commit('main')
    rig.commit('asleep')
    const asleep = await rig.deployed('asleep')
    await rig.app.useCases.environments.pause(asleep.id, operator)
    const target = await nodes.register(second, operator)
    const { node, moved, stuck } = await nodes.update(running.nodeId, { evacuate: true }, operator)
    expect(node.state).toBe('draining')
    expect([...moved].sort()).toEqual([running.id, asleep.id])
    expect(stuck).toEqual([])
    const live = await rig.store.environments.listLive({ nodeId: target.id })
    expect(live).toHaveLength(2)
    expect(live.find(({ branch }) => branch === 'main')?.commitSha).toBe(sha)
    await expect(nodes.remove(running.nodeId, operator)).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('reports stuck environments if no other node is active', async () => {
    rig.commit('main')
    const { id, nodeId } = await rig.deployed('main')
    const { nodes } = rig.app.useCases
    const result = await nodes.update(nodeId, { state: 'draining', evacuate: true }, operator)
    expect(result).toMatchObject({ moved: [], stuck: [{ environmentId: id }] })
    rig.commit('new')
    expect(await rig.deploy('new')).toMatchObject({ kind: 'queued' })
    await nodes.update(nodeId, { state: 'active' }, operator)
    await rig.until(async () => (await rig.store.environments.listLive()).length === 2)
  })

  test('goes down only by a failed probe and recovers its previous state', async () => {
    const { nodes } = rig.app.useCases
    const [local] = await nodes.list()
    const id = local?.id ?? 0
    await expect(nodes.update(id, { state: 'down' }, operator)).rejects.toMatchObject({
      kind: 'bad-request',
    })
    await nodes.update(id, { state: 'draining' }, operator)
    const { capacity } = rig.runtime
    rig.runtime.capacity = () => Promise.reject(new Error('connection refused'))
    await rig.clock.advance(30_000)
    expect(await rig.store.nodes.find(id)).toMatchObject({
      state: 'down',
      reason: 'the node does not respond: connection refused',
    })
    rig.runtime.capacity = capacity
    await rig.clock.advance(30_000)
    expect(await rig.store.nodes.find(id)).toMatchObject({ state: 'draining', reason: null })
  })
})

test('a node without environments can be removed', async () => {
  const { nodes } = rig.app.useCases
  const { id } = await nodes.register(second, operator)
  await nodes.remove(id, operator)
  await expect(nodes.remove(id, operator)).rejects.toMatchObject({ kind: 'not-found' })
})

test('stats count projects, environments, queue entries and memory', async () => {
  rig.commit('main')
  await rig.deployed('main')
  const stats = await rig.app.useCases.stats.read()
  expect(stats).toMatchObject({
    projects: 1,
    environments: { running: 1, destroyed: 0 },
    queueLength: 0,
    nodes: [{ name: 'local', committedMemoryMb: 256, environmentsLive: 1, cpuCount: 2 }],
  })
})

test('infra bootstrap reports each check and the next steps', async () => {
  await rig.close()
  // No HTTP server listens on port 1.
  rig = await createRig({ config: { gatewayPort: 1 } })
  const { infra } = rig.app.useCases
  const status = await infra.bootstrap(operator)
  const checks = Object.fromEntries(status.checks.map(({ name, ok }) => [name, ok]))
  expect(checks).toMatchObject({ git: true, node: true, 'data folder': true, gateway: false })
  expect(status.nextSteps.join()).toContain('start the gateway')
})

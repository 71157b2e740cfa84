import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../test/support/daemon/app/rig.ts'
import { createProxyConfig } from './config-response.ts'
import { routeSourceOf } from './route-source.ts'

const gateway = { gatewayUrl: 'http://127.0.0.1:9080', entryPoints: ['web'], tls: null }
const second = { name: 'second', endpoint: 'local', address: null, tls: null, reservedMemoryMb: 0 }

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

test('a redeploy, a pause and a move to another node leave the proxy config as it is', async () => {
  const proxy = createProxyConfig({ source: routeSourceOf(rig.store), config: gateway })
  const empty = await proxy.read()
  rig.commit('main')
  const first = await rig.deployed('main')
  const { etag, body } = await proxy.read()
  expect(etag).not.toBe(empty.etag)
  expect(String(body)).toContain(`Host(\`${first.hostname}\`)`)

  rig.commit('main')
  const next = await rig.deployed('main')
  expect(next.id).not.toBe(first.id)
  expect((await proxy.read()).etag).toBe(etag)

  const { environments, nodes } = rig.app.useCases
  await environments.pause(next.id, operator)
  expect((await proxy.read()).etag).toBe(etag)

  const target = await nodes.register(second, operator)
  await nodes.update(next.nodeId, { evacuate: true }, operator)
  const [moved] = await rig.store.environments.listLive({ nodeId: target.id })
  expect(moved?.hostname).toBe(first.hostname)
  expect((await proxy.read()).etag).toBe(etag)
})

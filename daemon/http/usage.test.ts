import { afterEach, beforeEach, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import { noTraffic } from '../domain/traffic.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

const mib = 2 ** 20

test('the use of an environment has a sample every 15 s, and the limits beside', async () => {
  const { id } = await server.addEnvironment({ memoryMb: 256 })
  const { usages, clock } = server.rig
  usages.set(id, { memoryBytes: 50 * mib, cpuMs: 1_000 })
  await clock.advance(15_000)
  usages.set(id, { memoryBytes: 60 * mib, cpuMs: 4_000 })
  await clock.advance(15_000)
  const { json } = await server.call('GET', `/environments/${id}/usage`)
  expect(json).toEqual({
    environment_id: id,
    memory_limit_bytes: 256 * mib,
    cpus_limit: null,
    interval_seconds: 15,
    samples: [
      { at: '2026-01-01T00:00:15.000Z', memory_bytes: 50 * mib, cpu: null },
      { at: '2026-01-01T00:00:30.000Z', memory_bytes: 60 * mib, cpu: 0.2 },
    ],
  })
})

test('the list of uses has the running environments that the token may see', async () => {
  const { id: other } = await server.addProject('other')
  const { usages, clock } = server.rig
  const shown = await server.addEnvironment({ branch: 'a' })
  const hidden = await server.addEnvironment({ branch: 'b', projectId: other })
  const asleep = await server.addEnvironment({ branch: 'c', state: 'paused' })
  for (const { id } of [shown, hidden, asleep]) usages.set(id, { memoryBytes: mib, cpuMs: 0 })
  await clock.advance(15_000)
  const idsOf = async (token?: string) => {
    const { json } = await server.call('GET', '/usage', token ? { token } : {})
    return (json as { environment_id: number }[]).map((each) => each.environment_id)
  }
  expect(await idsOf()).toEqual([shown.id, hidden.id])
  const scoped = { name: 'shop', projects: [1], role: 'viewer' }
  const { json } = await server.call('POST', '/tokens', { body: scoped })
  expect(await idsOf((json as { token: string }).token)).toEqual([shown.id])
})

test('the week of a branch and the metrics have the requests of the gateway', async () => {
  const { id } = await server.addEnvironment({ branch: 'fix "it"' })
  const { usages, clock, gateway } = server.rig
  usages.set(id, { memoryBytes: 50 * mib, cpuMs: 1_000 })
  await clock.advance(15_000)
  const buckets = noTraffic.buckets.map((_, at) => (at === 4 ? 3 : 0))
  gateway.traffic(id, { requests: 4, errors: 1, sumMs: 240, buckets })
  const { json } = await server.call('GET', `/environments/${id}/usage/week`)
  expect(json).toEqual({
    environment_id: id,
    slot_seconds: 900,
    slots: [
      {
        at: '2026-01-01T00:00:00.000Z',
        ...{ memory_bytes: 50 * mib, cpu: null, requests: 4, errors: 1, p50_ms: 75, p95_ms: 97.5 },
      },
    ],
  })
  const { text } = await server.call('GET', '//metrics')
  const labels = `project="repository",project_id="1",branch="fix \\"it\\""`
  expect(text).toContain(`strata_app_requests_total{${labels}} 4\n`)
  expect(text).toContain(`strata_app_errors_total{${labels}} 1\n`)
  expect(text).toContain(`strata_app_latency_seconds_bucket{${labels},le="0.05"} 0\n`)
  expect(text).toContain(`strata_app_latency_seconds_bucket{${labels},le="0.1"} 3\n`)
  expect(text).toContain(`strata_app_latency_seconds_bucket{${labels},le="+Inf"} 3\n`)
  expect(text).toContain(`strata_app_latency_seconds_sum{${labels}} 0.24\n`)
  expect(text).toContain(`strata_app_memory_bytes{${labels}} ${50 * mib}\n`)
  expect(text).toContain('strata_gateway_requests_total 4\n')
})

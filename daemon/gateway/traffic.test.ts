import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  gatewayAt,
  host,
  newPlace,
  routeTo,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { visit } from '../../test/support/daemon/gateway/visit.ts'
import { addTraffic, noTraffic } from '../domain/traffic.ts'
import type { Gateway } from '../ports.ts'

afterEach(endGateways)
afterAll(endApps)

const handler = `response.statusCode = request.url.startsWith('/bad') ? 503 : 200; response.end('x')`

test('the gateway counts requests, errors and latencies, also while no daemon runs', async () => {
  const app = await startApp({ handler })
  const place = await newPlace()
  const first = gatewayAt(place)
  await first.gateway.start()
  await first.gateway.route(routeTo(app.port))
  first.gateway.close()
  for (const path of ['/', '/', '/bad']) await visit(place.port, path)
  const next = gatewayAt(place)
  const sums = collect(next.gateway)
  await next.gateway.start()
  await next.gateway.route(routeTo(app.port))
  expect(await eventually(() => sums().requests === 3, 10_000)).toBe(true)
  await visit(place.port)
  expect(await eventually(() => sums().requests === 4, 10_000)).toBe(true)
  expect(sums().errors).toBe(1)
  expect(sums().buckets.reduce((total, count) => total + count)).toBe(4)
})

test('the access log has a line for each request, without the query', async () => {
  const app = await startApp({ handler })
  const { gateway, port, folder } = await startGateway({ hasAccessLog: true })
  await gateway.route(routeTo(app.port))
  await visit(port, '/bad?token=s3cret', { headers: { authorization: 'Bearer s3cret' } })
  const path = join(folder, 'access.log')
  // The file exists before its first line is written.
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  expect(await eventually(() => read().endsWith('\n'), 10_000)).toBe(true)
  const text = read()
  expect(JSON.parse(text)).toEqual({
    at: expect.stringMatching(/Z$/),
    client: '127.0.0.1',
    host,
    environment_id: 1,
    method: 'GET',
    path: '/bad',
    status: 503,
    ms: expect.any(Number),
  })
  expect(text).not.toContain('s3cret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a gateway without the setting writes no access log', async () => {
  const app = await startApp({ handler })
  const { gateway, port, folder } = await startGateway()
  await gateway.route(routeTo(app.port))
  const sums = collect(gateway)
  await visit(port)
  // The report comes later than a line of the log.
  expect(await eventually(() => sums().requests === 1, 10_000)).toBe(true)
  expect(existsSync(join(folder, 'access.log'))).toBe(false)
})

function collect(gateway: Pick<Gateway, 'onTraffic'>) {
  let sum = noTraffic
  gateway.onTraffic((traffic) => {
    sum = addTraffic(sum, traffic.get(1) ?? noTraffic)
  })
  return () => sum
}

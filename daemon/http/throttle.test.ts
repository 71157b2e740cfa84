import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { rateLimit: { perSecond: 2, burst: 3 } } })
})
afterAll(() => server.stop())

const advance = (ms: number) => server.rig.clock.advance(ms)
const ask = async (token?: string | null) =>
  (await server.call('GET', '/projects', token === undefined ? {} : { token })).status

test('requests above the burst get 429 until the bucket refills', async () => {
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  const { headers, json } = await server.call('GET', '/projects')
  expect(headers.get('retry-after')).toBe('1')
  expect(json).toEqual({ error: expect.any(String), retry_after: 1 })
  await advance(500)
  expect([await ask(), await ask()]).toEqual([200, 429])
  await advance(60_000)
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
})

test('each token has its own bucket, and requests without a valid token share a bucket for each address', async () => {
  await advance(60_000)
  const { json } = await server.call('POST', '/tokens', { body: { name: 'ci' } })
  const { token } = json as { token: string }
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  expect(await ask(token)).toBe(200)
  expect([await ask(null), await ask('x1'), await ask('x2'), await ask('x3')]).toEqual([
    401, 401, 401, 429,
  ])
})

test('health, heartbeat and wake requests are never throttled', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await server.call('GET', '/health', { token: null })).status).toBe(200)
    expect((await server.call('GET', '/heartbeat', { token: null })).status).toBe(200)
    expect((await server.call('GET', '/wake', { token: null })).status).toBe(404)
  }
})

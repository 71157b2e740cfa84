import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../test/support/daemon/http/clocks.ts'
import { type Started, start } from '../../test/support/daemon/http/started.ts'

let server: Started
const clock = manualClock()
beforeAll(async () => {
  server = await start({ clock, config: { rateLimit: { perSecond: 2, burst: 3 } } })
})
afterAll(() => server.stop())

const ask = async (token?: string | null) =>
  (await server.call('GET', '/projects', token === undefined ? {} : { token })).status

test('a burst goes through, what comes after waits for its second', async () => {
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  const { headers, json } = await server.call('GET', '/projects')
  expect(headers.get('retry-after')).toBe('1')
  expect(json).toEqual({ error: expect.any(String), retry_after: 1 })
  clock.advance(500)
  expect([await ask(), await ask()]).toEqual([200, 429])
  clock.advance(60_000)
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
})

test('each credential has its own allowance, and strangers share their peer’s', async () => {
  clock.advance(60_000)
  const { json } = await server.call('POST', '/tokens', { body: { name: 'ci' } })
  const { token } = json as { token: string }
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  expect(await ask(token)).toBe(200)
  expect([await ask(null), await ask('x1'), await ask('x2'), await ask('x3')]).toEqual([
    401, 401, 401, 429,
  ])
})

test('health, heartbeats and wakes are never throttled', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await server.call('GET', '/health', { token: null })).status).toBe(200)
    expect((await server.call('GET', '/heartbeat', { token: null })).status).toBe(200)
    expect((await server.call('GET', '/wake', { token: null })).status).toBe(404)
  }
})

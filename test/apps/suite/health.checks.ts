import assert from 'node:assert/strict'
import { assertStatus, objectOf } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { jsonOf, send } from './http.ts'

/** Tolerated difference of clocks, in milliseconds. */
const clockSkewMs = 60_000

export const healthChecks: readonly Check[] = [
  {
    title: 'health answers the status ok and a timestamp, and nothing else',
    run: async (app) => {
      const health = await healthOf(app)
      assert.deepEqual(Object.keys(health).sort(), ['status', 'timestamp'])
      assert.equal(health.status, 'ok')
    },
  },
  {
    title: 'the timestamp of health is the current time in ISO 8601 UTC',
    run: async (app) => {
      const first = timestampOf((await healthOf(app)).timestamp)
      assert.ok(Math.abs(Date.now() - first) < clockSkewMs, 'the timestamp is not the present')
      let last = first
      for (let turn = 0; turn < 500 && last === first; turn += 1) {
        last = timestampOf((await healthOf(app)).timestamp)
      }
      assert.ok(last > first, 'the timestamp does not move on')
    },
  },
  {
    title: 'ready answers the status ready, and nothing else',
    run: async (app) => {
      const reply = await send(app, { path: '/ready' })
      assertStatus(reply, 200)
      assert.deepEqual(jsonOf(reply), { status: 'ready' })
    },
  },
]

async function healthOf(app: AppUnderTest) {
  const reply = await send(app, { path: '/health' })
  assertStatus(reply, 200)
  return objectOf(jsonOf(reply), reply.call)
}

function timestampOf(value: unknown): number {
  assert.ok(typeof value === 'string', 'the timestamp is no string')
  assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/)
  return Date.parse(value)
}

import { Client } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import { isOutage } from './outage.js'

test('isOutage is true if no server listens', async () => {
  // No server listens on port 1.
  const client = new Client({ node: 'http://127.0.0.1:1', maxRetries: 0 })
  const failure = await client.cluster.health().catch((error: unknown) => error)
  await client.close()
  expect(isOutage(failure)).toBe(true)
})

test('isOutage is false for an error of the app', () => {
  expect(isOutage(new Error('not ready'))).toBe(false)
})

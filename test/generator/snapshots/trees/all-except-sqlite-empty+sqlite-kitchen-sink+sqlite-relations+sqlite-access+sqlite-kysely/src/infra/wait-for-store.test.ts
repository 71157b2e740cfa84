import { expect, test } from 'vitest'
import { createLogger } from './logger.js'
import { StoreError, waitForStore } from './wait-for-store.js'

const silent = createLogger('silent')
const starting = new StoreError(new Error('the server is starting'), { isStarting: true })

test('waitForStore retries while the store is starting', async () => {
  let attempts = 0
  const open = async () => {
    attempts += 1
    if (attempts < 3) throw starting
    return 'open'
  }
  expect(await waitForStore(open, silent, { timeoutMs: 60_000, intervalMs: 0 })).toBe('open')
  expect(attempts).toBe(3)
})

test('waitForStore gives up after the timeout and says why', async () => {
  const opening = waitForStore(() => Promise.reject(starting), silent, {
    timeoutMs: -1,
    intervalMs: 0,
  })
  await expect(opening).rejects.toThrow(
    "can't open the store of DATABASE_URL: the server is starting",
  )
})

test('waitForStore reports any other error at once, in one line', async () => {
  const opening = waitForStore(
    () => Promise.reject(new Error('no such database\nand more')),
    silent,
  )
  await expect(opening).rejects.toMatchObject({
    message: "can't open the store of DATABASE_URL: no such database",
  })
})

import { setTimeout as pause } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import { AppError } from '../domain/app-error.js'

const timeoutMs = 2_000

/** Responds with 200 if the store answers `ping` in time, and with 503 otherwise. Concurrent requests share one ping. */
export function serveReadiness(ping: () => Promise<unknown>): RequestHandler {
  let pending: Promise<unknown> | undefined
  return async (_req, res) => {
    pending ??= ping().finally(() => {
      pending = undefined
    })
    try {
      await Promise.race([pending, timeout()])
    } catch (cause) {
      throw new AppError('unavailable', 'the app is not ready', { cause })
    }
    res.json({ status: 'ready' })
  }
}

async function timeout(): Promise<never> {
  await pause(timeoutMs, undefined, { ref: false })
  throw new Error(`the store did not answer within ${timeoutMs} ms`)
}

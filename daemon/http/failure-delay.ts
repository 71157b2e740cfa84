import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports.ts'

/**
 * Delays the answers to deliveries without a valid signature, once an address sends many of them. Deliveries with a valid
 * signature never wait, also from that address: it may be a proxy.
 */
export type FailureDelay = (req: IncomingMessage) => Promise<void>

/** Failures of one address that are answered at once, and those after them. */
const burst = 200
const perSecond = 50
const maxDelayMs = 2_000
const maxPeers = 10_000

/** Creates the delay. It keeps for each address the time at which all of its failures would be paid off. */
export function createFailureDelay(clock: Pick<Clock, 'monotonic' | 'wait'>): FailureDelay {
  const paidOffAt = new Map<string, number>()
  const costMs = 1_000 / perSecond
  return async ({ socket }) => {
    const address = socket.remoteAddress ?? ''
    const now = clock.monotonic()
    const limit = now + burst * costMs + maxDelayMs
    const next = Math.min(limit, Math.max(now, paidOffAt.get(address) ?? 0) + costMs)
    // Reinsert the address to keep the map in order of use.
    paidOffAt.delete(address)
    paidOffAt.set(address, next)
    const [oldest] = paidOffAt.keys()
    if (paidOffAt.size > maxPeers && oldest !== undefined) paidOffAt.delete(oldest)
    const delayMs = next - now - burst * costMs
    if (delayMs > 0) await clock.wait(delayMs)
  }
}

import type { Exchange } from './exchange.ts'

/** Detects exchanges that exceed a time limit. */
export interface ForwardTimeouts {
  add(exchange: Exchange): void
  remove(exchange: Exchange): void
}

/**
 * Checks all open exchanges once a second with one shared timer. Calls `onTimeout` each second until the exchange is
 * removed or no longer waits.
 */
export function createForwardTimeouts(
  limitsMs: Readonly<Record<Exclude<Exchange['waitsFor'], 'nothing'>, number>>,
  onTimeout: (exchange: Exchange) => void,
): ForwardTimeouts {
  const open = new Set<Exchange>()
  let isRunning = false

  function check(): void {
    const now = Date.now()
    for (const exchange of open) {
      const { waitsFor, waitsSince } = exchange
      if (waitsFor !== 'nothing' && now - waitsSince > limitsMs[waitsFor]) onTimeout(exchange)
    }
    isRunning = open.size > 0
    if (isRunning) setTimeout(check, 1_000)
  }

  return {
    add(exchange) {
      open.add(exchange)
      if (isRunning) return
      isRunning = true
      setTimeout(check, 1_000)
    },
    remove: (exchange) => void open.delete(exchange),
  }
}

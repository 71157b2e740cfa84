import type { Exchange } from './exchange.ts'

export interface Watch {
  add(exchange: Exchange): void
  remove(exchange: Exchange): void
}

/**
 * Looks once a second, while requests are open, for those that wait too long for something: one timer for all, so that
 * a request costs none. `late` is called again each second until the exchange is removed or waits for nothing.
 */
export function createWatch(
  longest: Readonly<Record<Exclude<Exchange['waitsFor'], 'nothing'>, number>>,
  late: (exchange: Exchange) => void,
): Watch {
  const open = new Set<Exchange>()
  let isLooking = false

  function look(): void {
    const now = Date.now()
    for (const exchange of open) {
      const { waitsFor, since } = exchange
      if (waitsFor !== 'nothing' && now - since > longest[waitsFor]) late(exchange)
    }
    isLooking = open.size > 0
    if (isLooking) setTimeout(look, 1_000)
  }

  return {
    add(exchange) {
      open.add(exchange)
      if (isLooking) return
      isLooking = true
      setTimeout(look, 1_000)
    },
    remove: (exchange) => void open.delete(exchange),
  }
}

import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

/**
 * Returns a function that registers an exchange whose response waits behind another response on its connection. Calls
 * `onClose` for the unfinished exchanges when the connection closes, because Node emits no `close` on a waiting
 * response.
 */
export function createPipelineTracker(
  onClose: (exchange: Exchange) => void,
): (exchange: Exchange, socket: Socket) => void {
  const pipelined = new WeakMap<Socket, Set<Exchange>>()

  return function track(exchange, socket) {
    let queue = pipelined.get(socket)
    if (queue === undefined) {
      const exchanges = new Set<Exchange>()
      // One listener for each socket: removing one listener for each exchange would take quadratic time.
      socket.once('close', () => exchanges.forEach(onClose))
      pipelined.set(socket, exchanges)
      queue = exchanges
    }
    queue.add(exchange)
    exchange.pipeline = queue
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './ports.ts'

/** Clock that reads this machine's time. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  wait: async (ms, signal) => {
    try {
      await wait(ms, undefined, signal && { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../../daemon/ports.ts'

/** The machine's own clock; a wait holds no process back. */
export const realClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }),
}

/** A clock that stands still until it is told to go on. */
export function manualClock(start = 1_700_000_000_000): Clock & { advance(ms: number): void } {
  const sleepers = new Set<{ until: number; wake: () => void }>()
  let now = start
  return {
    now: () => now,
    wait(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { until: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
      })
    },
    advance(ms) {
      now += ms
      for (const sleeper of [...sleepers].filter(({ until }) => until <= now)) {
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}

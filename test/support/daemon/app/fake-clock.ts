import type { Clock } from '../../../../daemon/ports.ts'

export interface FakeClock extends Clock {
  /**
   * Advances the time by `ms`. All due waits resolve first, in order of time, then the returned
   * promise resolves.
   */
  advance(ms: number): Promise<void>
  /** Changes the wall clock alone, as an operator or a wrong time server does. Waits go on as before. */
  jump(ms: number): void
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/** Creates a clock that stands still until `advance`. */
export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let now = startMs
  let jumpedMs = 0
  const sleepers = new Set<Sleeper>()
  return {
    now: () => now + jumpedMs,
    monotonic: () => now,
    jump(ms) {
      jumpedMs += ms
    },
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abort = () => {
          if (sleepers.delete(sleeper)) reject(signal?.reason)
        }
        const wake = () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        const sleeper = { at: now + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
      }),
    async advance(ms) {
      const until = now + ms
      for (;;) {
        const due = [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        now = Math.max(now, due.at)
        sleepers.delete(due)
        due.wake()
        await settled()
      }
      now = until
      await settled()
    },
  }
}

/** Waits until pending promises, file operations and database calls have settled. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

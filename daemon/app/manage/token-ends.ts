import type { Clock, Database } from '../../ports.ts'

/** The revocations of tokens since the start of this daemon. */
export interface Revocations {
  /** Resolves when the token is revoked, at once if it is already, or when `signal` is aborted. */
  await(tokenId: number, signal: AbortSignal): Promise<void>
}

export function createRevocations(store: Pick<Database, 'onChange'>): Revocations {
  const revoked = new Set<number>()
  const waiting = new Map<number, Set<() => void>>()
  store.onChange((change) => {
    if (change.topic !== 'token' || change.token.revokedAt === null) return
    revoked.add(change.token.id)
    for (const wake of [...(waiting.get(change.token.id) ?? [])]) wake()
  })

  return {
    await: (tokenId, signal) =>
      new Promise((resolve) => {
        if (revoked.has(tokenId) || signal.aborted) return resolve()
        const wakes = waiting.get(tokenId) ?? new Set()
        const wake = () => {
          wakes.delete(wake)
          if (wakes.size === 0) waiting.delete(tokenId)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        wakes.add(wake)
        waiting.set(tokenId, wakes)
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
}

/** Maximum wait at once: the wall clock may jump, and a timer holds at most 24 days. */
const maxWaitMs = 60_000

/** Resolves at the time `at`, or when `signal` is aborted. */
export async function awaitTime(
  at: number,
  clock: Pick<Clock, 'now' | 'wait'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && clock.now() < at) {
    await clock.wait(Math.min(maxWaitMs, at - clock.now()), signal).catch(() => undefined)
  }
}

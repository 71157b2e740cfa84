import type { Clock } from '../ports.ts'

/**
 * Returns the result of `work`, or `'late'` after `ms` milliseconds or as soon as `signal` aborts. Late work continues;
 * its rejection is ignored unless the caller handles it. Throws if `work` rejects in time.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  { clock, ms, signal }: { clock: Pick<Clock, 'wait'>; ms: number; signal?: AbortSignal },
): Promise<T | 'late'> {
  const done = new AbortController()
  const ends = signal ? AbortSignal.any([signal, done.signal]) : done.signal
  const late = clock.wait(ms, ends).then(
    () => 'late' as const,
    () => 'late' as const,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

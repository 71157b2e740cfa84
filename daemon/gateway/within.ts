import type { Clock } from '../ports.ts'

/** What a promise resolves with, or `'late'` when that takes longer than `ms` or `signal` is aborted. */
export async function within<T>(
  promise: Promise<T>,
  { clock, ms, signal }: { clock: Clock; ms: number; signal: AbortSignal },
): Promise<T | 'late'> {
  const done = new AbortController()
  const late = clock.wait(ms, AbortSignal.any([signal, done.signal])).then(
    () => 'late' as const,
    () => 'late' as const,
  )
  try {
    return await Promise.race([promise, late])
  } finally {
    done.abort()
  }
}

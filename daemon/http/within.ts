import type { Clock } from '../ports.ts'

/**
 * What `work` comes to, or undefined when `ms` have passed or `signal` is aborted before. The work goes on; what it
 * throws after that is handed to `onLate`.
 */
export async function within<T extends object>(
  work: Promise<T>,
  { ms, clock, signal }: { ms: number; clock: Clock; signal: AbortSignal },
  onLate: (error: unknown) => void,
): Promise<T | undefined> {
  const done = new AbortController()
  const late = clock.wait(ms, AbortSignal.any([done.signal, signal])).then(
    () => undefined,
    () => undefined,
  )
  try {
    const result = await Promise.race([work, late])
    if (result === undefined) work.catch(onLate)
    return result
  } finally {
    done.abort()
  }
}

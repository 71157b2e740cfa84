import { Mutex, type MutexInterface, Semaphore, withTimeout } from 'async-mutex'
import { AppError } from '../domain/app-error.js'

interface Limits {
  permits: number
  /** The time to wait for a permit. */
  timeoutMs: number
}

/**
 * Creates a semaphore: a function that runs its work as soon as a permit is free, in the order of the calls. A call
 * throws AppError `unavailable` if it gets no permit in time.
 */
export function createSemaphore({ permits, timeoutMs }: Limits) {
  const semaphore = withTimeout(new Semaphore(permits), timeoutMs, timedOut())
  return <T>(work: () => Promise<T>): Promise<T> => semaphore.runExclusive(work)
}

export type WithLock = ReturnType<typeof createKeyedLock>

/** Creates a lock for each key. Not reentrant: a nested call with the same key waits until the timeout. */
export function createKeyedLock(timeoutMs: number) {
  const locks = new Map<string, MutexInterface>()

  return async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lock = locks.get(key) ?? withTimeout(new Mutex(), timeoutMs, timedOut())
    locks.set(key, lock)
    try {
      return await lock.runExclusive(work)
    } finally {
      if (!lock.isLocked()) locks.delete(key)
    }
  }
}

function timedOut(): AppError {
  return new AppError('unavailable', 'the store does not answer, try again')
}

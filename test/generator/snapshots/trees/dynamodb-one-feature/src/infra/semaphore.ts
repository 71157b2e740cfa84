import { AppError } from '../domain/app-error.js'

interface Limits {
  permits: number
  /** The time to wait for a permit. */
  timeoutMs: number
}

/**
 * Creates a semaphore: a function that runs its work as soon as a permit is free. Waiting calls run in the order of
 * their arrival. A call throws AppError `unavailable` if it gets no permit in time.
 */
export function createSemaphore({ permits, timeoutMs }: Limits) {
  const waiting: (() => void)[] = []
  let used = 0

  function acquire(): Promise<void> | undefined {
    if (used === permits) return wait()
    used += 1
    return undefined
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(new AppError('unavailable', 'the store does not answer, try again'))
      }, timeoutMs)
      waiting.push(begin)
    })
  }

  /** Passes the permit to the call that has waited longest. */
  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else used -= 1
  }

  return async function withPermit<T>(work: () => Promise<T>): Promise<T> {
    await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}

export type WithLock = ReturnType<typeof createKeyedLock>

/** Creates a lock for each key. Not reentrant: a nested call with the same key waits until the timeout. */
export function createKeyedLock(timeoutMs: number) {
  const locks = new Map<string, { withPermit: ReturnType<typeof createSemaphore>; users: number }>()

  return async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lock = locks.get(key) ?? {
      withPermit: createSemaphore({ permits: 1, timeoutMs }),
      users: 0,
    }
    locks.set(key, lock)
    lock.users += 1
    try {
      return await lock.withPermit(work)
    } finally {
      lock.users -= 1
      if (lock.users === 0) locks.delete(key)
    }
  }
}

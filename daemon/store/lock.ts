import { DaemonError } from '../errors.ts'

/** One holder at a time, in the order of asking. */
export interface Lock {
  hold<T>(work: () => Promise<T>): Promise<T>
}

/**
 * `timeoutMs` bounds how long one waits for its turn and `maxWaiting` how many may wait; past either the caller gets
 * `unavailable`. A holder that asks for the lock again would wait for itself: it too is told by the timeout.
 */
export function createLock({
  timeoutMs,
  maxWaiting,
}: {
  timeoutMs: number
  maxWaiting: number
}): Lock {
  const waiting = new Set<() => void>()
  let isHeld = false

  async function acquire(): Promise<void> {
    if (!isHeld) {
      isHeld = true
      return
    }
    if (waiting.size >= maxWaiting) {
      throw new DaemonError('unavailable', 'too many changes wait for the database: try again')
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        reject(new DaemonError('unavailable', `the database was busy for ${timeoutMs / 1000} s`))
      }, timeoutMs)
      waiting.add(proceed)
    })
  }

  function release(): void {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else {
      isHeld = false
    }
  }

  return {
    async hold(work) {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

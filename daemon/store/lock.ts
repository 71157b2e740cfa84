import { DaemonError } from '../errors.ts'

/** A fair lock with one holder. Not reentrant: a nested `hold` waits until the timeout. */
export interface Lock {
  hold<T>(work: () => Promise<T>): Promise<T>
}

/** `hold` throws DaemonError `unavailable` after `timeoutMs` of waiting, and if `maxWaiting` callers are waiting. */
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
      throw new DaemonError(
        'unavailable',
        'too many changes are waiting for the database: try again',
      )
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        reject(
          new DaemonError(
            'unavailable',
            `the database was busy for ${timeoutMs / 1000} s: try again`,
          ),
        )
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

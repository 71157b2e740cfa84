/** A mutex for each key: work for one key runs one at a time, in the order of the calls. */
export interface Locks {
  /** Not reentrant: a nested call with the same key deadlocks. Nested keys need one order everywhere. */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>
}

export function createLocks(): Locks {
  const tails = new Map<string | number, Promise<unknown>>()
  return {
    async run(key, work) {
      const previous = tails.get(key)
      const current = previous ? previous.then(work, work) : work()
      const tail = current.catch(() => undefined)
      tails.set(key, tail)
      try {
        return await current
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}

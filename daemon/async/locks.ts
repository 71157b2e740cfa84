/** One piece of work at a time for each key, in the order of asking. */
export interface Locks {
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>
}

export function createLocks(): Locks {
  const tails = new Map<string | number, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = tails.get(key)
      const mine = before ? before.then(work, work) : work()
      const tail = mine.catch(() => undefined)
      tails.set(key, tail)
      try {
        return await mine
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}

/** Does `work` for every item, at most `limit` at once; throws the first fault when all is over. */
export async function forEachOf<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (const item of rest) await work(item)
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** At most `most` pieces of work at once, the others in the order of asking. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

import type { Clock, Logger, Store } from '../../ports.ts'

/** Last access times of environments: in memory at once, in the database at most every 15 s. */
export interface LastAccesses {
  /** Records an access. Cheap enough for thousands of calls a second. Ignores an older time. */
  note(environmentId: number, at: number): void
  /** Returns the later of the access times in memory and in the database. */
  last(environment: { readonly id: number; readonly lastAccessedAt: number }): number
  forget(environmentId: number): void
  /** Writes all new times to the database. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const writeIntervalMs = 15_000

export function createLastAccesses({
  store,
  clock,
  logger,
}: {
  store: Store
  clock: Clock
  logger: Logger
}): LastAccesses {
  const times = new Map<number, number>()
  const stopping = new AbortController()
  let dirty = new Map<number, number>()
  let isWaiting = false

  async function flush(): Promise<void> {
    const accesses = dirty
    dirty = new Map()
    if (accesses.size === 0) return
    try {
      await store.environments.touch(accesses)
    } catch (err) {
      logger.error({ err }, 'could not write last accesses')
    }
  }

  function flushLater(): void {
    if (isWaiting || stopping.signal.aborted) return
    isWaiting = true
    clock.wait(writeIntervalMs, stopping.signal).then(
      async () => {
        isWaiting = false
        await flush()
      },
      () => undefined,
    )
  }

  return {
    note(environmentId, at) {
      if (at <= (times.get(environmentId) ?? 0)) return
      times.set(environmentId, at)
      dirty.set(environmentId, at)
      flushLater()
    },
    last: ({ id, lastAccessedAt }) => Math.max(times.get(id) ?? 0, lastAccessedAt),
    forget(environmentId) {
      times.delete(environmentId)
      dirty.delete(environmentId)
    },
    flush,
    async stop() {
      stopping.abort()
      await flush()
    },
  }
}

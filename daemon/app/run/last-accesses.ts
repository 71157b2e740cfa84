import type { Clock, Store } from '../../ports.ts'
import type { Logger } from '../ground/deps.ts'

/** When environments were last used: known at once in memory, written now and then. */
export interface LastAccesses {
  /** Thousands a second are fine. Times that go back are nothing. */
  note(environmentId: number, at: number): void
  /** The later of what is in memory and what the row says. */
  last(environment: { readonly id: number; readonly lastAccessedAt: number }): number
  forget(environmentId: number): void
  /** Writes what is not written yet. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** An environment's last access is written at most once in this time. */
const writeEveryMs = 15_000

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
      logger.error({ err }, 'last accesses were not written')
    }
  }

  function flushLater(): void {
    if (isWaiting || stopping.signal.aborted) return
    isWaiting = true
    clock.wait(writeEveryMs, stopping.signal).then(
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

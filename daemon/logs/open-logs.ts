import type { EnvironmentLog } from './environment-log.ts'

/** Reference-counted open logs, one per environment: the first user opens a log, the last user closes it. */
export interface OpenLogs {
  acquire(environmentId: number): Promise<LogLease>
  use<T>(environmentId: number, work: (environment: EnvironmentLog) => Promise<T>): Promise<T>
  /** Returns the log if it is open. */
  peek(environmentId: number): Promise<EnvironmentLog> | undefined
  /** Makes the next user open the log again, even if the current one is still in use. */
  forget(environmentId: number): void
  all(): Promise<EnvironmentLog[]>
}

export interface LogLease {
  readonly environment: EnvironmentLog
  /** Releases the log. Call exactly once. */
  release(): Promise<void>
}

interface Entry {
  readonly opening: Promise<EnvironmentLog>
  users: number
}

export function createOpenLogs(open: (environmentId: number) => Promise<EnvironmentLog>): OpenLogs {
  const entries = new Map<number, Entry>()
  const closing = new Map<number, Promise<void>>()

  async function acquire(environmentId: number): Promise<LogLease> {
    const entry = entries.get(environmentId) ?? addEntry(environmentId)
    entry.users += 1
    try {
      return { environment: await entry.opening, release: () => release(environmentId, entry) }
    } catch (error) {
      if (entries.get(environmentId) === entry) entries.delete(environmentId)
      throw error
    }
  }

  /** Waits for a log that is being closed: two open instances of one log would overwrite each other. */
  function addEntry(environmentId: number): Entry {
    const closed = closing.get(environmentId) ?? Promise.resolve()
    const entry = { opening: closed.then(() => open(environmentId)), users: 0 }
    entries.set(environmentId, entry)
    return entry
  }

  async function release(environmentId: number, entry: Entry): Promise<void> {
    entry.users -= 1
    if (entry.users > 0) return
    if (entries.get(environmentId) === entry) entries.delete(environmentId)
    const closed = entry.opening
      .then((environment) => environment.close())
      .catch(() => {})
      .finally(() => {
        if (closing.get(environmentId) === closed) closing.delete(environmentId)
      })
    closing.set(environmentId, closed)
    await closed
  }

  return {
    acquire,
    async use(environmentId, work) {
      const { environment, release } = await acquire(environmentId)
      try {
        return await work(environment)
      } finally {
        await release()
      }
    },
    peek: (environmentId) => entries.get(environmentId)?.opening,
    forget(environmentId) {
      entries.delete(environmentId)
    },
    async all() {
      const opened = await Promise.allSettled([...entries.values()].map(({ opening }) => opening))
      return opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    },
  }
}

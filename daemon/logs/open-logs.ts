import type { LogKey } from '../domain/process-names.ts'
import type { EnvironmentLog } from './environment-log.ts'

/** Reference-counted open logs, one per environment: the first user opens a log, the last user closes it. */
export interface OpenLogs {
  acquire(key: LogKey): Promise<LogLease>
  use<T>(key: LogKey, work: (environment: EnvironmentLog) => Promise<T>): Promise<T>
  /** Returns the log if it is open. */
  peek(key: LogKey): Promise<EnvironmentLog> | undefined
  /** Makes the next user open the log again, even if the current one is still in use. */
  forget(key: LogKey): void
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

export function createOpenLogs(open: (key: LogKey) => Promise<EnvironmentLog>): OpenLogs {
  const entries = new Map<LogKey, Entry>()
  const closing = new Map<LogKey, Promise<void>>()

  async function acquire(key: LogKey): Promise<LogLease> {
    const entry = entries.get(key) ?? addEntry(key)
    entry.users += 1
    try {
      return { environment: await entry.opening, release: () => release(key, entry) }
    } catch (error) {
      if (entries.get(key) === entry) entries.delete(key)
      throw error
    }
  }

  /** Waits for a log that is being closed: two open instances of one log would overwrite each other. */
  function addEntry(key: LogKey): Entry {
    const closed = closing.get(key) ?? Promise.resolve()
    const entry = { opening: closed.then(() => open(key)), users: 0 }
    entries.set(key, entry)
    return entry
  }

  async function release(key: LogKey, entry: Entry): Promise<void> {
    entry.users -= 1
    if (entry.users > 0) return
    if (entries.get(key) === entry) entries.delete(key)
    const closed = entry.opening
      .then((environment) => environment.close())
      .catch(() => {})
      .finally(() => {
        if (closing.get(key) === closed) closing.delete(key)
      })
    closing.set(key, closed)
    await closed
  }

  return {
    acquire,
    async use(key, work) {
      const { environment, release } = await acquire(key)
      try {
        return await work(environment)
      } finally {
        await release()
      }
    },
    peek: (key) => entries.get(key)?.opening,
    forget(key) {
      entries.delete(key)
    },
    async all() {
      const opened = await Promise.allSettled([...entries.values()].map(({ opening }) => opening))
      return opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    },
  }
}

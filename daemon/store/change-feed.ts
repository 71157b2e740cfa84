import type { Change } from '../domain/changes.ts'

/** Passes committed changes to listeners, in the order of the commits. */
export interface ChangeFeed {
  /** Call only after the commit of the change. */
  publish(change: Change): void
  /** Adds a listener for the life of the database. It must not throw: the transaction is already committed. */
  onChange(listener: (change: Change) => void): void
}

export type Publish = ChangeFeed['publish']

export function createChangeFeed(): ChangeFeed {
  const listeners: ((change: Change) => void)[] = []
  return {
    publish(change) {
      for (const listener of listeners) listener(change)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

import type { Change } from '../domain/changes.ts'
import type { SealedValues } from './sealed.ts'
import type { Store } from './store.ts'

/** The store, plus methods for key rotation and backups. */
export interface Database extends Store {
  readonly sealed: SealedValues
  transaction<T>(work: (database: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Copies the committed state into a new file, without blocking writers. */
  snapshot(file: string): Promise<void>
  /**
   * Adds a listener for committed changes, in the order of the commits. It is called before the promise of the write
   * resolves, never for a transaction that was rolled back, and must not throw.
   */
  onChange(listener: (change: Change) => void): void
}

export interface TransactionOptions {
  /** Runs `work` in a transaction. Once the promise resolves, the commit survives a power failure. */
  readonly durable?: boolean
  /** Called synchronously after the commit, before any other write. */
  readonly committed?: () => void
}

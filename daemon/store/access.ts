import type { Kysely } from 'kysely'
import type { TransactionOptions } from '../ports.ts'
import { type Connection, openConnection } from './connection.ts'
import { createKysely } from './dialect.ts'
import { createLock } from './lock.ts'
import type { Schema } from './schema.ts'

/** Database access of the stores, inside or outside of a transaction. */
export interface Access {
  /** Connection for reads of committed data; inside a transaction also of its uncommitted data. */
  readonly db: Kysely<Schema>
  /** Runs `work` in an exclusive transaction. Calls the effects given to `committed` right after the commit. */
  write<T>(
    work: (db: Kysely<Schema>, committed: (effect: () => void) => void) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
}

export interface RootAccess extends Access {
  /** The read connection. Statements without an `await` in between see the same commit. */
  readonly reader: Connection
  close(): void
}

/**
 * Opens a write connection, which one caller uses at a time, and a read connection. Because of the write-ahead log,
 * readers never wait for a transaction.
 */
export function openAccess(file: string): RootAccess {
  const writer = openConnection(file)
  const reader = openConnection(file, { readOnly: true })
  const lock = createLock({ timeoutMs: 30_000, maxWaiting: 10_000 })
  const writes = createKysely(writer)

  return {
    db: createKysely(reader),
    reader,
    write: (work, { durable = false, committed } = {}) =>
      lock.hold(() =>
        writes.connection().execute(async (db) => {
          const effects: (() => void)[] = []
          if (durable) writer.execute('PRAGMA synchronous = FULL')
          try {
            writer.execute('BEGIN IMMEDIATE')
            const result = await work(db, (effect) => effects.push(effect))
            writer.execute('COMMIT')
            committed?.()
            for (const effect of effects) effect()
            return result
          } catch (error) {
            if (writer.raw.isTransaction) writer.execute('ROLLBACK')
            throw error
          } finally {
            if (durable) writer.execute('PRAGMA synchronous = NORMAL')
          }
        }),
      ),
    close() {
      reader.close()
      writer.close()
    },
  }
}

/** Returns the access inside an open transaction. Nested writes join that transaction. */
export function transactionAccess(
  db: Kysely<Schema>,
  committed: (effect: () => void) => void,
): Access {
  return {
    db,
    write: (work, options) => {
      if (options?.committed) committed(options.committed)
      return work(db, committed)
    },
  }
}

import type { Kysely } from 'kysely'
import type { TransactionOptions } from '../ports.ts'
import { type Connection, openConnection } from './connection.ts'
import { createKysely } from './dialect.ts'
import { createLock } from './lock.ts'
import type { Schema } from './schema.ts'

/** How the tables reach the database: the same code runs inside a transaction and outside. */
export interface Access {
  /** For reading: what is committed; inside a transaction, what it sees. */
  readonly db: Kysely<Schema>
  /**
   * All of `work` or nothing of it, with nobody else in between. `committed` takes what is to happen as it commits,
   * before anybody else can do anything.
   */
  write<T>(
    work: (db: Kysely<Schema>, committed: (effect: () => void) => void) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
}

export interface RootAccess extends Access {
  /** The reading connection itself: several statements on it with no `await` between see one state. */
  readonly reader: Connection
  close(): void
}

/**
 * Two connections to one file. The one that writes is held by one caller at a time; the other reads what is committed
 * and never waits for a transaction, since the log lets it.
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

/** The same for tables inside a transaction that is open: what they write belongs to it, and goes if it goes. */
export function accessWithin(db: Kysely<Schema>, committed: (effect: () => void) => void): Access {
  return {
    db,
    write: (work, options) => {
      if (options?.committed) committed(options.committed)
      return work(db, committed)
    },
  }
}

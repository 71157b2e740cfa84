import { DaemonError } from '../errors.ts'
import type { Database } from '../ports.ts'
import { type Access, accessWithin, openAccess, type RootAccess } from './access.ts'
import { createAuditStore } from './audit.ts'
import { openConnection } from './connection.ts'
import { createDeliveryStore } from './deliveries.ts'
import { createEnvironmentTracker, type EnvironmentTracker } from './environment-tracker.ts'
import { createEnvironmentStore, type ReadMany } from './environments.ts'
import { readCommitted, readWithin } from './many-environments.ts'
import { migrate } from './migrate.ts'
import { createNodeStore } from './nodes.ts'
import { createProjectStore } from './projects.ts'
import { createQueueStore } from './queue.ts'
import { refuseDamaged } from './quick-check.ts'
import { createFreshness, createSealedValues, type Freshness } from './sealed.ts'
import { createSecretStore } from './secrets.ts'
import { writeSnapshot } from './snapshot.ts'
import { createTokenStore } from './tokens.ts'

/**
 * Opens the SQLite file at the absolute path `file`, or makes it (its folder must exist), and brings its schema up to
 * date. Throws DaemonError with a sentence for a file that is damaged, of another program or of a newer stratad.
 */
export async function createStore({
  file,
  now,
}: {
  file: string
  now: () => number
}): Promise<Database> {
  await prepare(file, now())
  const access = openAccess(file)
  const tracker = createEnvironmentTracker()
  const freshness = createFreshness()
  return createDatabase(file, access, tracker, freshness)
}

async function prepare(file: string, at: number): Promise<void> {
  try {
    const connection = openConnection(file)
    try {
      refuseDamaged(connection)
      migrate(connection, at)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (!(error instanceof DaemonError)) throw error
    throw new DaemonError(error.kind, `${file}: ${error.message}`, { cause: error })
  }
}

function createDatabase(
  file: string,
  access: RootAccess,
  tracker: EnvironmentTracker,
  freshness: Freshness,
): Database {
  const within = (inner: Access): Database => ({
    ...tables(inner, tracker, freshness, readWithin(inner)),
    // Part of the transaction that is open: it goes when that one does.
    transaction: (work, options) => inner.write(() => work(within(inner)), options),
    snapshot: () => Promise.reject(new Error('a snapshot is made outside of transactions')),
    close: () => Promise.reject(new Error('a store is closed outside of transactions')),
  })
  return {
    ...tables(access, tracker, freshness, readCommitted(access.reader, tracker.rows)),
    transaction: (work, options) =>
      access.write((db, committed) => work(within(accessWithin(db, committed))), options),
    snapshot: (target) => writeSnapshot(file, target),
    async close() {
      access.close()
    },
  }
}

function tables(
  access: Access,
  tracker: EnvironmentTracker,
  freshness: Freshness,
  readMany: ReadMany,
): Omit<Database, 'transaction' | 'snapshot' | 'close'> {
  return {
    projects: createProjectStore(access, { fresh: freshness.fresh, removed: tracker.removed }),
    environments: createEnvironmentStore(access, tracker, readMany),
    queue: createQueueStore(access),
    audit: createAuditStore(access),
    secrets: createSecretStore(access, freshness),
    tokens: createTokenStore(access),
    nodes: createNodeStore(access, freshness),
    deliveries: createDeliveryStore(access),
    sealed: createSealedValues(access, freshness),
  }
}

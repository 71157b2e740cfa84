import { DaemonError } from '../errors.ts'
import type { Database } from '../ports.ts'
import { type Access, openAccess, type RootAccess, transactionAccess } from './access.ts'
import { createAcmeAccountStore } from './acme-accounts.ts'
import { createAuditStore } from './audit.ts'
import { createBranchDatabaseStore } from './branch-databases.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { openConnection } from './connection.ts'
import { createDeliveryStore } from './deliveries.ts'
import { createDomainStore, type DomainVersion } from './domains.ts'
import { createEnvironmentTracker, type EnvironmentTracker } from './environment-tracker.ts'
import { createEnvironmentStore, type ReadMany } from './environments.ts'
import { migrate } from './migrate.ts'
import { createNodeStore } from './nodes.ts'
import { createOutgoingStore, type OutgoingFeed } from './outgoing.ts'
import { createProjectUserStore } from './project-users.ts'
import { createProjectStore } from './projects.ts'
import { createQueueStore } from './queue.ts'
import { quickCheck } from './quick-check.ts'
import { readCommitted, readInTransaction } from './read-environments.ts'
import { createReceiverStore } from './receivers.ts'
import { createScheduleRunStore } from './schedule-runs.ts'
import { createSealedValues, createWriteHook, type WriteHook } from './sealed-values.ts'
import { createSecretStore } from './secrets.ts'
import { writeSnapshot } from './snapshot.ts'
import { createTokenStore } from './tokens.ts'
import { createTrashStore } from './trash.ts'

/**
 * Opens or creates the SQLite file at the absolute path `file` and migrates it. Its folder must exist. Throws
 * DaemonError for a file that is damaged, belongs to another program or was written by a newer stratad.
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
  return createDatabase(file, access, {
    tracker,
    hook: createWriteHook(),
    feed: createChangeFeed(),
    domains: { version: 0 },
    outgoing: { listeners: [] },
  })
}

async function prepare(file: string, at: number): Promise<void> {
  try {
    const connection = openConnection(file)
    try {
      quickCheck(connection)
      migrate(connection, at)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (!(error instanceof DaemonError)) throw error
    throw new DaemonError(error.kind, `${file}: ${error.message}`, { cause: error })
  }
}

/** State that the stores inside and outside of transactions share. */
interface Shared {
  readonly tracker: EnvironmentTracker
  readonly hook: WriteHook
  readonly feed: ChangeFeed
  readonly domains: DomainVersion
  readonly outgoing: OutgoingFeed
}

function createDatabase(file: string, access: RootAccess, shared: Shared): Database {
  const inTransaction = (inner: Access): Database => ({
    ...tables(inner, shared, readInTransaction(inner)),
    // A nested transaction joins the open one.
    transaction: (work, options) => inner.write(() => work(inTransaction(inner)), options),
    snapshot: () => Promise.reject(new Error('cannot snapshot inside a transaction')),
    close: () => Promise.reject(new Error('cannot close inside a transaction')),
    onChange: shared.feed.onChange,
  })
  return {
    ...tables(access, shared, readCommitted(access.reader, shared.tracker.rows)),
    transaction: (work, options) =>
      access.write(
        (db, committed) => work(inTransaction(transactionAccess(db, committed))),
        options,
      ),
    snapshot: (target) => writeSnapshot(file, target),
    onChange: shared.feed.onChange,
    async close() {
      access.close()
    },
  }
}

function tables(
  access: Access,
  { tracker, hook, feed: { publish }, domains, outgoing }: Shared,
  readMany: ReadMany,
): Omit<Database, 'transaction' | 'snapshot' | 'close' | 'onChange'> {
  return {
    projects: createProjectStore(access, {
      reseal: hook.reseal,
      removed: tracker.removed,
      publish,
    }),
    environments: createEnvironmentStore(access, { tracker, publish, readMany }),
    queue: createQueueStore(access, publish),
    audit: createAuditStore(access, publish),
    secrets: createSecretStore(access, hook),
    tokens: createTokenStore(access, publish),
    nodes: createNodeStore(access, { reseal: hook.reseal, publish }),
    deliveries: createDeliveryStore(access),
    projectUsers: createProjectUserStore(access),
    trash: createTrashStore(access, publish),
    scheduleRuns: createScheduleRunStore(access),
    branchDatabases: createBranchDatabaseStore(access, hook),
    domains: createDomainStore(access, { reseal: hook.reseal, counter: domains }),
    acmeAccounts: createAcmeAccountStore(access, hook),
    receivers: createReceiverStore(access, hook),
    outgoing: createOutgoingStore(access, outgoing),
    sealed: createSealedValues(access, hook),
  }
}

import type { BranchDatabase, Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Logger, Store } from '../../ports.ts'
import type { BranchDatabases } from './branch-databases.ts'

type Branch = Pick<Environment, 'projectId' | 'branch'>

/** The databases of trash entries. They keep their name on the server, and their users are refused. */
export interface TrashedDatabases {
  /** Moves the databases of a branch to a trash entry, inside the caller's transaction. */
  attach(tx: Store, branch: Branch, trashId: number): Promise<void>
  /** Moves the databases of a trash entry to a branch, inside the caller's transaction. */
  detach(tx: Store, trashId: number, target: Branch): Promise<void>
  has(trashId: number): Promise<boolean>
  /** Returns true if a branch has a database. */
  isUsed(branch: Branch): Promise<boolean>
  /** Refuses the users of the databases. Returns false if a server does not answer. Idempotent. */
  revoke(trashId: number): Promise<boolean>
  /** Returns the bytes of the databases on their servers, as far as known. */
  sizeOf(trashId: number): Promise<number>
  /** Removes the databases from their servers. Throws `transient` if a server does not answer. */
  drop(trashId: number): Promise<void>
}

export function createTrashedDatabases({
  store,
  databases,
  logger,
}: {
  store: Store
  databases: Pick<BranchDatabases, 'open'>
  logger: Logger
}): TrashedDatabases {
  const all = (trashId: number) => store.branchDatabases.list({ trashId })

  /** Returns false if the server does not answer or is no longer set. */
  async function revokeOne(database: BranchDatabase): Promise<boolean> {
    try {
      await databases.open(database).server.revoke(database.name)
      return true
    } catch (err) {
      if (!(err instanceof DaemonError)) throw err
      const { name, branch } = database
      logger.warn({ err, name, branch }, 'could not close a database in the trash: trying again')
      return false
    }
  }

  return {
    async attach(tx, { projectId, branch }, trashId) {
      for (const { id } of await tx.branchDatabases.list({ projectId, branch, trashId: null })) {
        await tx.branchDatabases.update(id, { trashId })
      }
    },

    async detach(tx, trashId, { projectId, branch }) {
      for (const { id } of await tx.branchDatabases.list({ trashId })) {
        await tx.branchDatabases.update(id, { trashId: null, projectId, branch })
      }
    },

    has: async (trashId) => (await all(trashId)).length > 0,

    isUsed: async ({ projectId, branch }) =>
      (await store.branchDatabases.list({ projectId, branch, trashId: null })).length > 0,

    async revoke(trashId) {
      let isDone = true
      for (const database of await all(trashId)) isDone = (await revokeOne(database)) && isDone
      return isDone
    },

    async sizeOf(trashId) {
      let bytes = 0
      for (const database of await all(trashId)) {
        const { server } = databases.open(database)
        bytes += (await server.sizeOf(database.name)) ?? 0
      }
      return bytes
    },

    async drop(trashId) {
      for (const database of await all(trashId)) {
        await databases.open(database).server.drop(database.name)
        await store.branchDatabases.remove(database.id)
      }
    },
  }
}

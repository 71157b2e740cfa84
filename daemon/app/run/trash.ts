import { durationText } from '../../domain/duration.ts'
import { repositoryVolume } from '../../domain/hosted.ts'
import type { BranchDatabase, Environment, TrashEntry, TrashReason } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import { type AuditActor, auditRow } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { ReleaseFolders } from './release-folders.ts'
import type { TrashFolders } from './trash-folders.ts'
import type { TrashedDatabases } from './trashed-databases.ts'

export type Branch = Pick<Environment, 'projectId' | 'branch'>

export interface TrashCause {
  readonly reason: TrashReason
  readonly actor: AuditActor
  /** True: the data is removed now, and so is older data of the branch in the trash. */
  readonly purge: boolean
}

/**
 * Keeps the data of destroyed branches. A row is written first, in the transaction that destroys the branch; then the
 * data moves with one rename. A kill in between is completed by `settle`. Callers of the methods without a transaction
 * hold the branch lock.
 */
export interface Trash {
  /** Plans the move of a branch's data, inside the caller's transaction. Returns a sentence part for the audit record. */
  plan(tx: Store, branch: Branch, cause: TrashCause): Promise<string>
  /**
   * Plans the move of the remaining volumes of a project, inside the transaction that deletes the project. `branches`
   * names the branches of volumes, as far as they are known.
   */
  planProject(tx: Store, project: ProjectVolumes, cause: TrashCause): Promise<void>
  /** Completes the planned moves and removals of a branch without an environment. */
  settle(branch: Branch): Promise<void>
  /** Gives a branch that is deployed again its newest data back. No-op if the branch has data. */
  giveBack(branch: Branch, actor: AuditActor): Promise<void>
  /** Moves the data of an entry into a volume, which must be free, and forgets the entry. */
  putBack(entry: TrashEntry, target: Branch, actor: AuditActor): Promise<void>
  /**
   * Gives a branch a filled database and moves its previous database to the trash. Returns the id of the trash entry.
   */
  replaceDatabase(
    known: BranchDatabase,
    next: BranchDatabase,
    detail: string,
    actor: AuditActor,
  ): Promise<number>
  /** Removes the data of an entry for good. */
  purge(entry: TrashEntry, detail: string, actor: AuditActor): Promise<void>
}

export interface ProjectVolumes {
  readonly projectId: number
  readonly volumes: readonly string[]
  readonly branches: ReadonlySet<string>
}

export function createTrash(deps: {
  store: Store
  clock: Clock
  logger: Logger
  folders: ReleaseFolders
  trashFolders: TrashFolders
  failpoints: Failpoints
  databases: TrashedDatabases
  keepMs: number
}): Trash {
  const { store, clock, logger, folders, trashFolders, failpoints, keepMs, databases } = deps

  async function insert(tx: Store, { projectId, branch }: Branch, volume: string, c: TrashCause) {
    const project = await tx.projects.find(projectId)
    const at = clock.now()
    const { id } = await tx.trash.create({
      projectId,
      project: project?.name ?? `project ${projectId}`,
      source: project?.repoDir ?? project?.repoUrl ?? '',
      branch,
      volume,
      state: c.purge ? 'purging' : 'moving',
      sizeBytes: null,
      trashedAt: at,
      expiresAt: at + keepMs,
      operator: c.actor.operator,
      reason: c.reason,
    })
    return id
  }

  /** Moves the data of a planned entry. Returns false if there is no data. */
  async function moveIn(entry: TrashEntry): Promise<boolean> {
    if (await trashFolders.hasData(entry.id)) return true
    if (!(await trashFolders.hasFiles(entry.volume))) return false
    await failpoints.hit('trash:move')
    await trashFolders.moveIn(entry)
    await failpoints.hit('trash:moved')
    return true
  }

  async function finishMove(entry: TrashEntry): Promise<void> {
    const hasFiles = await moveIn(entry)
    if (!hasFiles && !(await databases.has(entry.id))) return forget(entry)
    // The next sweep tries again.
    if (!(await databases.revoke(entry.id))) return
    await keep(entry)
    logger.info(fieldsOf(entry), 'moved the data of a destroyed branch to the trash')
  }

  async function keep(entry: TrashEntry): Promise<void> {
    await store.trash.update(entry.id, { state: 'kept' })
    await store.trash.update(entry.id, { sizeBytes: await sizeOf(entry.id) })
  }

  /** Returns the bytes of files and databases; null if unknown. */
  async function sizeOf(id: number): Promise<number | null> {
    const files = (await trashFolders.hasData(id)) ? await trashFolders.sizeOf(id) : 0
    try {
      const inDatabases = await databases.sizeOf(id)
      return files === null ? null : files + inDatabases
    } catch {
      return null
    }
  }

  async function forget({ id }: TrashEntry): Promise<void> {
    await trashFolders.remove(id)
    await store.trash.remove(id)
  }

  async function purge(entry: TrashEntry, detail: string, actor: AuditActor): Promise<void> {
    await failpoints.hit('trash:purge')
    await databases.drop(entry.id)
    await trashFolders.remove(entry.id)
    await failpoints.hit('trash:purged')
    await store.audit.write(auditRow('data_purged', entry, detail, actor, clock.now()))
    await store.trash.remove(entry.id)
  }

  async function finishPurge(entry: TrashEntry): Promise<void> {
    if (!(await moveIn(entry)) && !(await databases.has(entry.id))) return forget(entry)
    const actor = { operator: entry.operator, requestId: '' }
    const detail = `the data of ${entry.branch} was deleted by ${entry.operator}`
    try {
      await purge(entry, detail, actor)
    } catch (err) {
      if (!(err instanceof DaemonError)) throw err
      logger.warn({ err, ...fieldsOf(entry) }, 'could not remove a database: trying again')
    }
  }

  async function putBack(entry: TrashEntry, target: Branch, actor: AuditActor): Promise<void> {
    const isHosted = isRepository(entry)
    // Creates the parent folder with its owner and mode.
    if (!isHosted) await folders.volume(target.projectId, target.branch)
    await failpoints.hit('trash:restore')
    const volume = isHosted
      ? `${target.projectId}/${repositoryVolume}`
      : folders.volumeName(target.projectId, target.branch)
    if (await trashFolders.hasData(entry.id)) await trashFolders.moveOut(entry.id, volume)
    await failpoints.hit('trash:restored')
    const since = new Date(entry.trashedAt).toISOString()
    const detail = `the data of ${entry.branch}, in the trash since ${since}, is back (entry ${entry.id})`
    await store.transaction(async (tx) => {
      await databases.detach(tx, entry.id, target)
      await tx.audit.write(auditRow('data_restored', target, detail, actor, clock.now()))
      await tx.trash.remove(entry.id)
    })
  }

  /** Moves the databases of a deleted project to the entries of their branches. */
  async function planDatabases(tx: Store, projectId: number, cause: TrashCause): Promise<void> {
    const own = await tx.branchDatabases.list({ projectId, trashId: null })
    for (const branch of new Set(own.map((database) => database.branch))) {
      const entries = await tx.trash.list({ projectId, branch })
      const volume = folders.volumeName(projectId, branch)
      const entry = entries.find((known) => known.state !== 'kept' && known.volume === volume)
      const id = entry?.id ?? (await insert(tx, { projectId, branch }, volume, cause))
      await databases.attach(tx, { projectId, branch }, id)
    }
  }

  /** Ends the move of an entry whose branch is deployed again. */
  async function cancelMove(entry: TrashEntry): Promise<void> {
    if (await trashFolders.hasData(entry.id)) return keep(entry)
    // The data is still in its volume, where the new environment finds it.
    await store.transaction((tx) => databases.detach(tx, entry.id, entry))
    await forget(entry)
  }

  /** Returns true if a branch has data of the kinds that an entry holds. */
  async function isOccupied(entry: TrashEntry, branch: Branch): Promise<boolean> {
    const volume = folders.volumeName(branch.projectId, branch.branch)
    if ((await trashFolders.hasData(entry.id)) && (await trashFolders.hasFiles(volume))) return true
    return (await databases.has(entry.id)) && databases.isUsed(branch)
  }

  return {
    async plan(tx, { projectId, branch }, cause) {
      const known = await tx.trash.list({ projectId, branch })
      const open = known.find(({ state }) => state !== 'kept')
      const volume = folders.volumeName(projectId, branch)
      const id = open?.id ?? (await insert(tx, { projectId, branch }, volume, cause))
      await databases.attach(tx, { projectId, branch }, id)
      if (!cause.purge) return `its data goes to the trash for ${durationText(keepMs)}`
      for (const { id } of known) await tx.trash.update(id, { state: 'purging' })
      return 'its data is deleted'
    },

    async planProject(tx, { projectId, volumes, branches }, cause) {
      const known = await tx.trash.list({ projectId })
      const names = new Map(
        [...branches].map((branch) => [folders.volumeName(projectId, branch), branch]),
      )
      for (const volume of volumes) {
        if (known.some((entry) => entry.state !== 'kept' && entry.volume === volume)) continue
        const branch = names.get(volume) ?? volume.replace(/^\d+\//, '')
        await insert(tx, { projectId, branch }, volume, cause)
      }
      await planDatabases(tx, projectId, cause)
      if (!cause.purge) return
      for (const { id } of known) await tx.trash.update(id, { state: 'purging' })
    },

    async settle({ projectId, branch }) {
      for (const entry of await store.trash.list({ projectId, branch })) {
        if (entry.state === 'moving') await finishMove(entry)
        if (entry.state === 'purging') await finishPurge(entry)
      }
      await trashFolders.removeIfEmpty(folders.volumeName(projectId, branch))
    },

    async giveBack({ projectId, branch }, actor) {
      const entries = await store.trash.list({ projectId, branch })
      for (const entry of entries) {
        if (entry.state === 'purging') await finishPurge(entry)
        if (entry.state === 'moving') await cancelMove(entry)
      }
      if (entries.length === 0) return
      const [newest] = await store.trash.list({ projectId, branch, state: 'kept' })
      if (!newest || (await isOccupied(newest, { projectId, branch }))) return
      await putBack(newest, { projectId, branch }, actor)
    },

    async replaceDatabase(known, next, detail, actor) {
      const volume = folders.volumeName(known.projectId, known.branch)
      const id = await store.transaction(async (tx) => {
        const cause = { reason: 'destroyed', actor, purge: false } as const
        const id = await insert(tx, known, volume, cause)
        await tx.trash.update(id, { state: 'kept' })
        await tx.branchDatabases.update(known.id, { trashId: id })
        await tx.branchDatabases.update(next.id, { trashId: null, state: 'ready' })
        await tx.audit.write(auditRow('data_restored', known, detail, actor, clock.now()))
        return id
      })
      await databases.revoke(id)
      await store.trash.update(id, { sizeBytes: await sizeOf(id) })
      return id
    },

    putBack,
    purge,
  }
}

/** Returns true for the hosted repository of a deleted project. */
export function isRepository({ volume }: Pick<TrashEntry, 'volume'>): boolean {
  return volume.split('/')[1] === repositoryVolume
}

function fieldsOf({ id, projectId, branch, expiresAt }: TrashEntry): object {
  return { trashId: id, projectId, branch, keptUntil: new Date(expiresAt).toISOString() }
}

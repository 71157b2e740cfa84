import { durationText } from '../../domain/duration.ts'
import { repositoryVolume } from '../../domain/hosted.ts'
import type { Environment, TrashEntry, TrashReason } from '../../domain/records.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import { type AuditActor, auditRow } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { ReleaseFolders } from './release-folders.ts'
import type { TrashFolders } from './trash-folders.ts'

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
  keepMs: number
}): Trash {
  const { store, clock, logger, folders, trashFolders, failpoints, keepMs } = deps

  async function insert(tx: Store, { projectId, branch }: Branch, volume: string, c: TrashCause) {
    const project = await tx.projects.find(projectId)
    const at = clock.now()
    await tx.trash.create({
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
  }

  async function audit(
    kind: 'data_restored' | 'data_purged',
    branch: Branch,
    detail: string,
    actor: AuditActor,
  ): Promise<void> {
    await store.audit.write(auditRow(kind, branch, detail, actor, clock.now()))
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
    if (!(await moveIn(entry))) return forget(entry)
    await store.trash.update(entry.id, { state: 'kept' })
    await store.trash.update(entry.id, { sizeBytes: await trashFolders.sizeOf(entry.id) })
    logger.info(fieldsOf(entry), 'moved the data of a destroyed branch to the trash')
  }

  async function forget({ id }: TrashEntry): Promise<void> {
    await trashFolders.remove(id)
    await store.trash.remove(id)
  }

  async function purge(entry: TrashEntry, detail: string, actor: AuditActor): Promise<void> {
    await failpoints.hit('trash:purge')
    await trashFolders.remove(entry.id)
    await failpoints.hit('trash:purged')
    await audit('data_purged', entry, detail, actor)
    await store.trash.remove(entry.id)
  }

  async function finishPurge(entry: TrashEntry): Promise<void> {
    if (!(await moveIn(entry))) return forget(entry)
    const actor = { operator: entry.operator, requestId: '' }
    await purge(entry, `the data of ${entry.branch} was deleted by ${entry.operator}`, actor)
  }

  async function putBack(entry: TrashEntry, target: Branch, actor: AuditActor): Promise<void> {
    const isHosted = isRepository(entry)
    // Creates the parent folder with its owner and mode.
    if (!isHosted) await folders.volume(target.projectId, target.branch)
    await failpoints.hit('trash:restore')
    const volume = isHosted
      ? `${target.projectId}/${repositoryVolume}`
      : folders.volumeName(target.projectId, target.branch)
    await trashFolders.moveOut(entry.id, volume)
    await failpoints.hit('trash:restored')
    const since = new Date(entry.trashedAt).toISOString()
    const detail = `the data of ${entry.branch}, in the trash since ${since}, is back (entry ${entry.id})`
    await audit('data_restored', target, detail, actor)
    await store.trash.remove(entry.id)
  }

  return {
    async plan(tx, { projectId, branch }, cause) {
      const known = await tx.trash.list({ projectId, branch })
      if (!known.some(({ state }) => state !== 'kept')) {
        await insert(tx, { projectId, branch }, folders.volumeName(projectId, branch), cause)
      }
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
        if (entry.state !== 'moving') continue
        if (await trashFolders.hasData(entry.id)) await finishMove(entry)
        // The data is still in its volume, where the new environment finds it.
        else await forget(entry)
      }
      if (entries.length === 0) return
      if (await trashFolders.hasFiles(folders.volumeName(projectId, branch))) return
      const [newest] = await store.trash.list({ projectId, branch, state: 'kept' })
      if (newest) await putBack(newest, { projectId, branch }, actor)
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

import type { Locks } from '../../async/locks.ts'
import { hostedName } from '../../domain/hosted.ts'
import type { TrashEntry } from '../../domain/records.ts'
import { isLive } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Repositories, Store } from '../../ports.ts'
import { branchLock } from '../ground/branch-lock.ts'
import { findProject } from '../ground/find-project.ts'
import type { TrashUseCases } from '../ground/use-cases.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'
import { type Branch, isRepository, type Trash } from '../run/trash.ts'
import type { TrashFolders } from '../run/trash-folders.ts'
import type { TrashedDatabases } from '../run/trashed-databases.ts'

export function createTrashUseCases(deps: {
  store: Store
  locks: Locks
  trash: Trash
  folders: Pick<ReleaseFolders, 'volumeName'>
  trashFolders: Pick<TrashFolders, 'hasFiles'>
  trashedDatabases: Pick<TrashedDatabases, 'isUsed'>
  repositories: Pick<Repositories, 'discardEmpty'>
}): TrashUseCases {
  const { store, locks, trash, folders, trashFolders, trashedDatabases, repositories } = deps

  async function find(id: number): Promise<TrashEntry> {
    const entry = await store.trash.find(id)
    if (entry?.state === 'kept') return entry
    throw new DaemonError('not-found', `no entry ${id} in the trash`)
  }

  /** Returns the project that receives the data: the entry's own, or the given one if that was deleted. */
  async function targetOf(entry: TrashEntry, projectId: number | undefined): Promise<Branch> {
    const { branch, project } = entry
    const own = await store.projects.find(entry.projectId)
    if (own && (projectId === undefined || projectId === own.id)) {
      return { projectId: own.id, branch }
    }
    if (own) {
      throw new DaemonError(
        'conflict',
        `the data belongs to project ${own.id} (${own.name}), which exists: leave out project_id`,
      )
    }
    if (projectId === undefined) {
      throw new DaemonError(
        'conflict',
        `project ${entry.projectId} (${project}) was deleted: register it again, and name the new project (project_id, or strata trash restore --project)`,
      )
    }
    await findProject(store, projectId)
    return { projectId, branch }
  }

  async function requireFree({ projectId, branch }: Branch): Promise<void> {
    const rows = await store.environments.list(projectId, branch)
    const row = rows.find(({ state }) => isLive(state) || state === 'building')
    if (row) {
      throw new DaemonError(
        'conflict',
        `environment ${row.id} of branch ${branch} is ${row.state}: destroy it first, which moves its data to the trash`,
      )
    }
    const hasFiles = await trashFolders.hasFiles(folders.volumeName(projectId, branch))
    if (!hasFiles && !(await trashedDatabases.isUsed({ projectId, branch }))) return
    throw new DaemonError(
      'conflict',
      `branch ${branch} has data: deploy it and destroy its environment first, which moves that data to the trash`,
    )
  }

  async function requireEmptyRepository({ projectId }: Branch): Promise<void> {
    const project = await store.projects.find(projectId)
    if (!project || hostedName(project) === undefined) {
      throw new DaemonError(
        'conflict',
        'the data is a hosted repository: name a project with a hosted repository',
      )
    }
    await repositories.discardEmpty(projectId)
  }

  async function lockBoth<T>(one: Branch, other: Branch, work: () => Promise<T>): Promise<T> {
    const keys = [...new Set([one, other].map((branch) => branchLock(branch)))]
    const [first = '', second] = keys
    return locks.run(first, () => (second === undefined ? work() : locks.run(second, work)))
  }

  return {
    find,

    async list(projectIds) {
      const entries = await store.trash.list({ state: 'kept' })
      if (projectIds === null) return entries
      // Tokens of some projects do not see what deleted projects left.
      const visible = new Set((await store.projects.list(projectIds)).map(({ id }) => id))
      return entries.filter(({ projectId }) => visible.has(projectId))
    },

    async isOrphan({ projectId }) {
      return (await store.projects.find(projectId)) === undefined
    },

    async restore(id, { projectId }, actor) {
      const target = await targetOf(await find(id), projectId)
      return lockBoth(await find(id), target, async () => {
        const entry = await find(id)
        if (isRepository(entry)) await requireEmptyRepository(target)
        else await requireFree(target)
        await trash.putBack(entry, target, actor)
        return target
      })
    },

    async purge(id, actor) {
      const { projectId, branch } = await find(id)
      await locks.run(branchLock({ projectId, branch }), async () => {
        const detail = `the data of ${branch} in the trash was deleted by ${actor.operator}`
        await trash.purge(await find(id), detail, actor)
      })
    },
  }
}

import type { BranchDatabase } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import { auditRow } from '../ground/audit-row.ts'
import { findProject } from '../ground/find-project.ts'
import type { Actor, DatabaseUseCases } from '../ground/use-cases.ts'
import type { BranchDatabases } from '../run/branch-databases.ts'
import type { Pausing } from '../run/pause.ts'
import type { Trash } from '../run/trash.ts'
import type { Waking } from '../run/wake.ts'

/** Time limit of a dump or a load that a person requests. */
const transferMs = 60 * 60_000

export function createDatabaseUseCases(deps: {
  store: Store
  clock: Clock
  logger: Logger
  databases: BranchDatabases
  trash: Pick<Trash, 'replaceDatabase'>
  pausing: Pick<Pausing, 'pause'>
  waking: Pick<Waking, 'wake'>
  worker: Pick<Worker, 'isDeploying'>
}): DatabaseUseCases {
  const { store, clock, logger, databases, trash, pausing, waking, worker } = deps

  async function find(projectId: number, branch: string): Promise<BranchDatabase> {
    const known = await store.branchDatabases.list({ projectId, branch, trashId: null })
    const ready = known.findLast(({ state }) => state === 'ready')
    if (ready) return ready
    throw new DaemonError('not-found', `branch ${branch} has no database that the daemon made`)
  }

  async function note({ projectId, branch }: BranchDatabase, detail: string, actor: Actor) {
    const row = auditRow('data_read', { projectId, branch }, detail, actor, clock.now())
    await store.audit.write(row)
  }

  const limited = (signal: AbortSignal) =>
    AbortSignal.any([signal, AbortSignal.timeout(transferMs)])

  /** Fills a new database and then gives it to the branch. A failed `fill` leaves everything as it was. */
  async function replace(
    known: BranchDatabase,
    detail: string,
    actor: Actor,
    fill: (next: BranchDatabase) => Promise<void>,
  ): Promise<number> {
    const { projectId, branch } = known
    if (worker.isDeploying({ projectId, branch })) {
      throw new DaemonError('conflict', `a deploy of ${branch} is running: repeat this after it`)
    }
    const next = await databases.insertReplacement(known)
    try {
      const { server, access } = databases.open(next)
      await server.create(access)
      await fill(next)
    } catch (error) {
      await databases
        .discard(next)
        .catch((err) => logger.error({ err }, 'could not drop the rest of a failed restore'))
      throw error
    }
    const live = await store.environments.findLive(projectId, branch)
    const isRunning = live?.state === 'running'
    if (isRunning) await pausing.pause(live.id, actor)
    try {
      return await trash.replaceDatabase(known, next, detail, actor)
    } finally {
      if (isRunning) await waking.wake(live.id, actor)
    }
  }

  return {
    async list(projectId) {
      await findProject(store, projectId)
      return store.branchDatabases.list({ projectId, trashId: null })
    },

    async url(projectId, branch, actor) {
      const database = await find(projectId, branch)
      const { server, access } = databases.open(database)
      await note(database, `the URL of the database of ${branch} was read`, actor)
      return server.urlOf(access)
    },

    async dump(projectId, branch, actor, signal) {
      const database = await find(projectId, branch)
      const { server, access } = databases.open(database)
      const body = await server.dump(access, { projectId, signal: limited(signal) })
      await note(database, `a dump of the database of ${branch} was downloaded`, actor)
      return { fileName: `${database.name}.dump`, body }
    },

    async restore(projectId, branch, dump, actor, signal) {
      const known = await find(projectId, branch)
      const detail = `the database of ${branch} was replaced by a dump`
      return replace(known, detail, actor, async (next) => {
        const { server, access } = databases.open(next)
        await server.load(access, dump, { projectId, signal: limited(signal) })
      })
    },

    async copy(projectId, { from, to }, actor, signal) {
      if (from === to) throw new DaemonError('bad-request', 'from and to name the same branch')
      const [source, target] = [await find(projectId, from), await find(projectId, to)]
      if (source.kind !== target.kind) {
        throw new DaemonError(
          'conflict',
          `${from} has a ${source.kind} database and ${to} a ${target.kind} one`,
        )
      }
      const detail = `the database of ${to} was replaced by a copy of the database of ${from}`
      return replace(target, detail, actor, (next) =>
        databases.copy(source, next, { signal, say: () => undefined }),
      )
    },
  }
}

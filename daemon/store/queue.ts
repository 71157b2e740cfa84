import type { Kysely, Selectable } from 'kysely'
import type { QueueEntry } from '../domain/records.ts'
import type { QueueStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { literal, oneOf } from './dialect.ts'
import { returnedRow, withoutNul } from './rows.ts'
import type { Changes, QueueTable, Schema } from './schema.ts'

type Committed = (effect: () => void) => void

/** Entries are ordered by id. Unique indexes allow one waiting and one running entry per branch. */
export function createQueueStore({ db, write }: Access, publish: Publish): QueueStore {
  const all = () => db.selectFrom('queue').selectAll().orderBy('id')
  const announce = (row: Selectable<QueueTable>, committed: Committed): QueueEntry => {
    const entry = toEntry(row)
    committed(() => publish({ topic: 'queue_entry', entry }))
    return entry
  }
  const announceRemoval = (
    { id, project_id: projectId }: Pick<Selectable<QueueTable>, 'id' | 'project_id'>,
    committed: Committed,
  ) => committed(() => publish({ topic: 'queue_entry_removed', id, projectId }))

  /** Requeues an entry, or removes it if a newer entry of the branch is waiting. */
  async function requeue(
    db: Kysely<Schema>,
    committed: Committed,
    row: Selectable<QueueTable>,
    changes: Changes<QueueTable>,
  ): Promise<void> {
    const { id, project_id, branch } = row
    const newer = await db
      .selectFrom('queue')
      .select('id')
      .where('project_id', '=', project_id)
      .where('branch', '=', branch)
      .where('state', '=', literal('waiting'))
      .executeTakeFirst()
    if (newer) {
      await db.deleteFrom('queue').where('id', '=', id).execute()
      announceRemoval(row, committed)
      return
    }
    const values = { ...changes, state: 'waiting', lease_owner: null, lease_until: null } as const
    const query = db.updateTable('queue').set(values).where('id', '=', id)
    announce(returnedRow(await query.returningAll().execute()), committed)
  }

  return {
    async find(id) {
      const row = await all().where('id', '=', id).executeTakeFirst()
      return row && toEntry(row)
    },

    async list(projectIds = null) {
      const query = projectIds === null ? all() : all().where('project_id', 'in', oneOf(projectIds))
      return (await query.execute()).map(toEntry)
    },

    async countWaiting(projectId, exceptBranch) {
      const { count } = await db
        .selectFrom('queue')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('state', '=', literal('waiting'))
        .where('branch', '<>', exceptBranch)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Replaces the content of the branch's waiting entry, which keeps its id and position. */
    put: (draft) =>
      write(async (db, committed) => {
        const values = {
          ...newRow,
          project_id: draft.projectId,
          branch: draft.branch,
          commit_sha: draft.commitSha,
          operator: draft.operator,
          request_id: draft.requestId,
          requested_at: draft.requestedAt,
        }
        const [replaced] = await db
          .updateTable('queue')
          .set(values)
          .where('project_id', '=', draft.projectId)
          .where('branch', '=', draft.branch)
          .where('state', '=', literal('waiting'))
          .returningAll()
          .execute()
        const insertion = db.insertInto('queue').values(values).returningAll()
        return announce(replaced ?? returnedRow(await insertion.execute()), committed)
      }),

    claim: (id, { owner, until }) =>
      write(async (db, committed) => {
        const [row] = await db
          .updateTable('queue')
          .set({ state: 'running', lease_owner: owner, lease_until: until })
          .where('id', '=', id)
          .where('state', '=', literal('waiting'))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('queue as other')
                  .select('other.id')
                  .whereRef('other.project_id', '=', 'queue.project_id')
                  .whereRef('other.branch', '=', 'queue.branch')
                  .where('other.state', '=', literal('running')),
              ),
            ),
          )
          .returningAll()
          .execute()
        return row && announce(row, committed)
      }),

    /** An expired lease can be renewed until `releaseExpired` or a removal ends it. */
    renew: (id, { owner, until }) =>
      write(async (db) => (await updateHeld(db, id, owner, { lease_until: until })) !== undefined),

    update: (id, owner, { environmentId, lastError, attempts }) =>
      write(async (db, committed) => {
        const row = await updateHeld(db, id, owner, {
          lease_owner: owner,
          environment_id: environmentId,
          last_error: withoutNul(lastError),
          attempts,
        })
        if (row) announce(row, committed)
        return row !== undefined
      }),

    release: (id, owner, { notBefore, attempts, lastError }) =>
      write(async (db, committed) => {
        const query = db.selectFrom('queue').selectAll().where('id', '=', id)
        const held = await query.where('lease_owner', '=', owner).executeTakeFirst()
        if (!held) return
        const changes = { not_before: notBefore, attempts, last_error: withoutNul(lastError) }
        await requeue(db, committed, held, changes)
      }),

    /** Also returns entries replaced by a newer waiting entry, because their partial work needs cleanup. */
    releaseExpired: (now) =>
      write(async (db, committed) => {
        const query = db.selectFrom('queue').selectAll().where('state', '=', literal('running'))
        const expired = await query.where('lease_until', '<=', now).orderBy('id').execute()
        for (const row of expired) await requeue(db, committed, row, {})
        return expired.map((row) => ({ ...toEntry(row), state: 'waiting', lease: null }))
      }),

    remove: (id) =>
      write(async (db, committed) => {
        const query = db.deleteFrom('queue').where('id', '=', id)
        const [row] = await query.returning(['id', 'project_id']).execute()
        if (row) announceRemoval(row, committed)
        return row !== undefined
      }),
  }
}

const newRow = {
  attempts: 0,
  state: 'waiting',
  not_before: 0,
  lease_owner: null,
  lease_until: null,
  environment_id: null,
  last_error: null,
} as const

async function updateHeld(
  db: Kysely<Schema>,
  id: number,
  owner: string,
  changes: Changes<QueueTable>,
): Promise<Selectable<QueueTable> | undefined> {
  const query = db.updateTable('queue').set(changes).where('id', '=', id)
  const [row] = await query.where('lease_owner', '=', owner).returningAll().execute()
  return row
}

function toEntry(row: Selectable<QueueTable>): QueueEntry {
  const { lease_owner: owner, lease_until: until } = row
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    commitSha: row.commit_sha,
    operator: row.operator,
    requestId: row.request_id,
    requestedAt: row.requested_at,
    attempts: row.attempts,
    state: row.state,
    notBefore: row.not_before,
    lease: owner === null || until === null ? null : { owner, until },
    environmentId: row.environment_id,
    lastError: row.last_error,
  }
}

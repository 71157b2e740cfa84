import type { Kysely, Selectable } from 'kysely'
import type { QueueEntry } from '../domain/records.ts'
import type { QueueStore } from '../ports.ts'
import type { Access } from './access.ts'
import { literal, oneOf } from './dialect.ts'
import { returnedRow, withoutNul } from './rows.ts'
import type { Changes, QueueTable, Schema } from './schema.ts'

/** Entries are ordered by id. Unique indexes allow one waiting and one running entry per branch. */
export function createQueueStore({ db, write }: Access): QueueStore {
  const all = () => db.selectFrom('queue').selectAll().orderBy('id')

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
      write(async (db) => {
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
        if (replaced) return toEntry(replaced)
        return toEntry(
          returnedRow(await db.insertInto('queue').values(values).returningAll().execute()),
        )
      }),

    claim: (id, { owner, until }) =>
      write(async (db) => {
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
        return row && toEntry(row)
      }),

    /** An expired lease can be renewed until `releaseExpired` or a removal ends it. */
    renew: (id, { owner, until }) =>
      write((db) => updateHeld(db, id, owner, { lease_until: until })),

    update: (id, owner, { environmentId, lastError, attempts }) =>
      write((db) =>
        updateHeld(db, id, owner, {
          lease_owner: owner,
          environment_id: environmentId,
          last_error: withoutNul(lastError),
          attempts,
        }),
      ),

    release: (id, owner, { notBefore, attempts, lastError }) =>
      write(async (db) => {
        const query = db.selectFrom('queue').selectAll().where('id', '=', id)
        const held = await query.where('lease_owner', '=', owner).executeTakeFirst()
        if (!held) return
        const changes = { not_before: notBefore, attempts, last_error: withoutNul(lastError) }
        await requeue(db, held, changes)
      }),

    /** Also returns entries replaced by a newer waiting entry, because their partial work needs cleanup. */
    releaseExpired: (now) =>
      write(async (db) => {
        const query = db.selectFrom('queue').selectAll().where('state', '=', literal('running'))
        const expired = await query.where('lease_until', '<=', now).orderBy('id').execute()
        for (const row of expired) await requeue(db, row, {})
        return expired.map((row) => ({ ...toEntry(row), state: 'waiting', lease: null }))
      }),

    remove: (id) =>
      write(async (db) => {
        const query = db.deleteFrom('queue').where('id', '=', id)
        return (await query.returning('id').execute()).length > 0
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
): Promise<boolean> {
  const query = db.updateTable('queue').set(changes).where('id', '=', id)
  return (await query.where('lease_owner', '=', owner).returning('id').execute()).length > 0
}

/** Requeues an entry, or removes it if a newer entry of the branch is waiting. */
async function requeue(
  db: Kysely<Schema>,
  { id, project_id, branch }: Selectable<QueueTable>,
  changes: Changes<QueueTable>,
): Promise<void> {
  const newer = await db
    .selectFrom('queue')
    .select('id')
    .where('project_id', '=', project_id)
    .where('branch', '=', branch)
    .where('state', '=', literal('waiting'))
    .executeTakeFirst()
  if (newer) {
    await db.deleteFrom('queue').where('id', '=', id).execute()
    return
  }
  const row = { ...changes, state: 'waiting', lease_owner: null, lease_until: null } as const
  await db.updateTable('queue').set(row).where('id', '=', id).execute()
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

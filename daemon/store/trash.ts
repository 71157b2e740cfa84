import { type Selectable, sql } from 'kysely'
import type { TrashEntry } from '../domain/records.ts'
import type { TrashStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { allColumns, isEmpty, returnedRow } from './rows.ts'
import type { Changes, TrashTable } from './schema.ts'

export function createTrashStore({ db, write }: Access, publish: Publish): TrashStore {
  const all = () => db.selectFrom('trash').selectAll().orderBy('id', 'desc')

  return {
    async find(id) {
      const row = await all().where('id', '=', id).executeTakeFirst()
      return row && toEntry(row)
    },

    async list({ projectId, branch, state } = {}) {
      let query = all()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (branch !== undefined) query = query.where('branch', '=', branch)
      if (state !== undefined) query = query.where('state', '=', state)
      return (await query.execute()).map(toEntry)
    },

    async listUnfinished() {
      return (await all().where(sql<boolean>`state <> 'kept'`).execute()).map(toEntry)
    },

    async listExpired(now) {
      return (await all().where('expires_at', '<=', now).execute()).map(toEntry)
    },

    create: (draft) =>
      write(async (db, committed) => {
        const values = allColumns<TrashTable>(toRow(draft))
        const rows = await db.insertInto('trash').values(values).returningAll().execute()
        const entry = toEntry(returnedRow(rows))
        committed(() => publish({ topic: 'trash_entry', entry }))
        return entry
      }),

    add: (entry) =>
      write(async (db, committed) => {
        const values = { ...allColumns<TrashTable>(toRow(entry)), id: entry.id }
        await db.insertInto('trash').values(values).execute()
        committed(() => publish({ topic: 'trash_entry', entry }))
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return
      await write(async (db, committed) => {
        const query = db.updateTable('trash').set(toRow(changes)).where('id', '=', id)
        const [row] = await query.returningAll().execute()
        if (row) committed(() => publish({ topic: 'trash_entry', entry: toEntry(row) }))
      })
    },

    async remove(id) {
      await write(async (db, committed) => {
        const query = db.deleteFrom('trash').where('id', '=', id).returning('project_id')
        const [row] = await query.execute()
        if (!row) return
        const { project_id: projectId } = row
        committed(() => publish({ topic: 'trash_entry_removed', id, projectId }))
      })
    },

    async usage() {
      const row = await db
        .selectFrom('trash')
        .select(sql<number>`count(*)`.as('entries'))
        .select(sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'))
        .where('state', '=', 'kept')
        .executeTakeFirstOrThrow()
      return { entries: row.entries, bytes: row.bytes }
    },
  }
}

function toEntry(row: Selectable<TrashTable>): TrashEntry {
  return {
    id: row.id,
    projectId: row.project_id,
    project: row.project,
    source: row.source,
    branch: row.branch,
    volume: row.volume,
    state: row.state,
    sizeBytes: row.size_bytes,
    trashedAt: row.trashed_at,
    expiresAt: row.expires_at,
    operator: row.operator,
    reason: row.reason,
  }
}

function toRow(entry: Partial<Omit<TrashEntry, 'id'>>): Changes<TrashTable> {
  return {
    project_id: entry.projectId,
    project: entry.project,
    source: entry.source,
    branch: entry.branch,
    volume: entry.volume,
    state: entry.state,
    size_bytes: entry.sizeBytes,
    trashed_at: entry.trashedAt,
    expires_at: entry.expiresAt,
    operator: entry.operator,
    reason: entry.reason,
  }
}

import type { Selectable } from 'kysely'
import type { BranchDatabase, Sealed } from '../domain/records.ts'
import type { BranchDatabaseStore } from '../ports.ts'
import type { Access } from './access.ts'
import { allColumns, isEmpty, returnedRow } from './rows.ts'
import type { BranchDatabaseTable, Changes } from './schema.ts'

/** `reseal` converts passwords before each write. */
export function createBranchDatabaseStore(
  { db, write }: Access,
  { reseal }: { reseal: (value: Sealed) => Sealed },
): BranchDatabaseStore {
  return {
    async list({ projectId, branch, trashId } = {}) {
      let query = db.selectFrom('branch_databases').selectAll().orderBy('id')
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (branch !== undefined) query = query.where('branch', '=', branch)
      if (trashId === null) query = query.where('trash_id', 'is', null)
      else if (trashId !== undefined) query = query.where('trash_id', '=', trashId)
      return (await query.execute()).map(toDatabase)
    },

    create: (draft) =>
      write(async (db) => {
        const values = allColumns<BranchDatabaseTable>(toRow(draft, reseal))
        const query = db.insertInto('branch_databases').values(values).returningAll()
        return toDatabase(returnedRow(await query.execute()))
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return
      await write(async (db) => {
        const row = toRow(changes, reseal)
        await db.updateTable('branch_databases').set(row).where('id', '=', id).execute()
      })
    },

    remove: (id) =>
      write(async (db) => {
        await db.deleteFrom('branch_databases').where('id', '=', id).execute()
      }),
  }
}

function toDatabase(row: Selectable<BranchDatabaseTable>): BranchDatabase {
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    kind: row.kind,
    name: row.name,
    password: row.password,
    state: row.state,
    trashId: row.trash_id,
    createdAt: row.created_at,
  }
}

function toRow(
  database: Partial<Omit<BranchDatabase, 'id'>>,
  reseal: (value: Sealed) => Sealed,
): Changes<BranchDatabaseTable> {
  return {
    project_id: database.projectId,
    branch: database.branch,
    kind: database.kind,
    name: database.name,
    password: database.password === undefined ? undefined : reseal(database.password),
    state: database.state,
    trash_id: database.trashId,
    created_at: database.createdAt,
  }
}

import type { ProjectUserStore } from '../ports.ts'
import type { Access } from './access.ts'

export function createProjectUserStore({ db, write }: Access): ProjectUserStore {
  return {
    async list() {
      const rows = await db.selectFrom('project_users').selectAll().orderBy('project_id').execute()
      return rows.map((row) => ({ projectId: row.project_id, uid: row.uid }))
    },

    set: (projectId, uid) =>
      write(async (db) => {
        await db
          .insertInto('project_users')
          .values({ project_id: projectId, uid })
          .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ uid }))
          .execute()
      }),

    remove: (projectId) =>
      write(async (db) => {
        await db.deleteFrom('project_users').where('project_id', '=', projectId).execute()
      }),
  }
}

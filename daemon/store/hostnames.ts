import type { EnvironmentStore } from '../ports.ts'
import type { Access } from './access.ts'

/** Host names of all projects. The primary key makes them unique. */
export function createHostnameStore({
  write,
}: Access): Pick<EnvironmentStore, 'claimHostname' | 'releaseHostname'> {
  return {
    claimHostname: (hostname, projectId, branch) =>
      write(async (db) => {
        const holder = await db
          .selectFrom('hostnames')
          .select(['project_id', 'branch'])
          .where('hostname', '=', hostname)
          .executeTakeFirst()
        if (!holder) {
          const row = { hostname, project_id: projectId, branch }
          await db.insertInto('hostnames').values(row).execute()
          return { claimed: true }
        }
        return holder.project_id === projectId && holder.branch === branch
          ? { claimed: true }
          : { claimed: false, projectId: holder.project_id, branch: holder.branch }
      }),

    releaseHostname: (projectId, branch) =>
      write(async (db) => {
        const query = db.deleteFrom('hostnames').where('project_id', '=', projectId)
        await query.where('branch', '=', branch).execute()
      }),
  }
}

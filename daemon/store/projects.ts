import type { Selectable } from 'kysely'
import type { Project, Sealed } from '../domain/records.ts'
import type { ProjectStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { oneOf } from './dialect.ts'
import { allColumns, fromJson, isEmpty, returnedRow } from './rows.ts'
import type { Changes, ProjectTable } from './schema.ts'

type Reseal = (value: Sealed) => Sealed

/** `reseal` converts sealed values before each write. `removed` is called after a commit that removed a project. */
export function createProjectStore(
  { db, write }: Access,
  { reseal, removed, publish }: { reseal: Reseal; removed: () => void; publish: Publish },
): ProjectStore {
  const all = () => db.selectFrom('projects').selectAll().orderBy('id')
  const find = async (id: number) => {
    const row = await all().where('id', '=', id).executeTakeFirst()
    return row && toProject(row)
  }

  return {
    find,

    async findBySource({ repoDir, repoUrl, context, remoteKey }) {
      const ofContext = all().where('context', '=', context)
      if (repoUrl === null) {
        const row = await ofContext.where('repo_dir', '=', repoDir).executeTakeFirst()
        return row && toProject(row)
      }
      const row =
        (await ofContext.where('repo_url', '=', repoUrl).executeTakeFirst()) ??
        (await ofContext
          .where('remote_key', '=', remoteKey)
          .where('repo_url', 'is not', null)
          .executeTakeFirst())
      return row && toProject(row)
    },

    async list(ids = null) {
      const query = ids === null ? all() : all().where('id', 'in', oneOf(ids))
      return (await query.execute()).map(toProject)
    },

    async hasSeveral() {
      return (await db.selectFrom('projects').select('id').limit(2).execute()).length > 1
    },

    async haveWebhookSecret() {
      const query = db.selectFrom('projects').select('id').where('webhook_secret', 'is not', null)
      return (await query.limit(1).execute()).length > 0
    },

    async listByRemote(remoteKey) {
      return (await all().where('remote_key', '=', remoteKey).execute()).map(toProject)
    },

    create: (draft) =>
      write(async (db, committed) => {
        const values = allColumns<ProjectTable>(toRow(draft, reseal))
        const project = toProject(
          returnedRow(await db.insertInto('projects').values(values).returningAll().execute()),
        )
        committed(() => publish({ topic: 'project', project }))
        return project
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return find(id)
      return write(async (db, committed) => {
        const query = db.updateTable('projects').set(toRow(changes, reseal)).where('id', '=', id)
        const [row] = await query.returningAll().execute()
        if (!row) return undefined
        const project = toProject(row)
        committed(() => publish({ topic: 'project', project }))
        return project
      })
    },

    remove: (id) =>
      write(async (db, committed) => {
        const rows = await db.deleteFrom('projects').where('id', '=', id).returning('id').execute()
        if (rows.length === 0) return false
        committed(() => {
          removed()
          publish({ topic: 'project_removed', id })
        })
        return true
      }),
  }
}

/** The column is NOT NULL. */
const never = 'never'

function toProject(row: Selectable<ProjectTable>): Project {
  return {
    id: row.id,
    repoDir: row.repo_dir,
    repoUrl: row.repo_url,
    context: row.context,
    remoteKey: row.remote_key,
    name: row.name,
    pauseAfter: row.pause_after,
    destroyAfter: row.destroy_after === never ? null : row.destroy_after,
    defaultBranch: row.default_branch,
    branches: fromJson(row.branches_json),
    ignore: fromJson(row.ignore_json),
    maxEnvironments: row.max_environments,
    gitToken: row.git_token,
    webhookSecret: row.webhook_secret,
    webhookAt: row.webhook_at,
    createdAt: row.created_at,
  }
}

function toRow(project: Partial<Omit<Project, 'id'>>, reseal: Reseal): Changes<ProjectTable> {
  const { branches, ignore, gitToken, webhookSecret } = project
  return {
    repo_dir: project.repoDir,
    repo_url: project.repoUrl,
    context: project.context,
    remote_key: project.remoteKey,
    // Projects with a `repo_dir` may share their remote with others: each clone on this host is a separate source.
    source_key: project.repoUrl ? project.remoteKey : undefined,
    name: project.name,
    pause_after: project.pauseAfter,
    destroy_after: project.destroyAfter === null ? never : project.destroyAfter,
    default_branch: project.defaultBranch,
    branches_json: branches && JSON.stringify(branches),
    ignore_json: ignore && JSON.stringify(ignore),
    max_environments: project.maxEnvironments,
    git_token: gitToken && reseal(gitToken),
    webhook_secret: webhookSecret && reseal(webhookSecret),
    webhook_at: project.webhookAt,
    created_at: project.createdAt,
  }
}

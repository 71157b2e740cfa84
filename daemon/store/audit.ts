import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { AuditEntry } from '../domain/records.ts'
import type { AuditFilter, AuditStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { valuesTable } from './dialect.ts'
import { returnedRow, withoutNul } from './rows.ts'
import type { AuditTable, Schema } from './schema.ts'

/** Every filter has an index that ends with time and id, so that SQLite never sorts. */
export function createAuditStore({ db, write }: Access, publish: Publish): AuditStore {
  return {
    write: (entry) =>
      write(async (db, committed) => {
        const query = db.insertInto('audit').values(toRow(entry)).returningAll()
        const written = toEntry(returnedRow(await query.execute()))
        committed(() => publish({ topic: 'audit_entry', entry: written }))
      }),

    async list(filter) {
      const { projectId, projectIds, limit } = filter
      if (projectIds && projectId !== undefined && !projectIds.includes(projectId)) return []
      const newest = db
        .selectFrom('audit')
        .selectAll()
        .orderBy('occurred_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      const rows =
        projectIds && projectId === undefined
          ? newest.where('id', 'in', newestOfProjects(projectIds, filter))
          : newest.where((of) => of.and(conditions(of, filter)))
      return (await rows.execute()).map(toEntry)
    },
  }

  /** Reads up to `limit` audit records of each project, with one index scan per project. */
  function newestOfProjects(projectIds: readonly number[], filter: AuditFilter) {
    return db
      .selectFrom(valuesTable(projectIds).as('project'))
      .innerJoin('audit as found', (join) =>
        join.on('found.id', 'in', (of) =>
          of
            .selectFrom('audit')
            .select('audit.id')
            .whereRef('audit.project_id', '=', 'project.value')
            .where((of) => of.and(conditions(of, filter)))
            .orderBy('audit.occurred_at', 'desc')
            .orderBy('audit.id', 'desc')
            .limit(filter.limit),
        ),
      )
      .select('found.id')
  }
}

function conditions(
  of: ExpressionBuilder<Schema, 'audit'>,
  { environmentId, projectId, branch, kind, since, until }: AuditFilter,
): Expression<SqlBool>[] {
  const list: Expression<SqlBool>[] = []
  if (environmentId !== undefined) list.push(of('audit.environment_id', '=', environmentId))
  if (projectId !== undefined) list.push(of('audit.project_id', '=', projectId))
  if (branch !== undefined) list.push(of('audit.branch', '=', branch))
  if (kind !== undefined) list.push(of('audit.kind', '=', kind))
  if (since !== undefined) list.push(of('audit.occurred_at', '>=', since))
  if (until !== undefined) list.push(of('audit.occurred_at', '<=', until))
  return list
}

function toEntry(row: Selectable<AuditTable>): AuditEntry {
  return {
    id: row.id,
    environmentId: row.environment_id,
    projectId: row.project_id,
    branch: row.branch,
    kind: row.kind,
    detail: row.detail,
    occurredAt: row.occurred_at,
    operator: row.operator,
    requestId: row.request_id,
  }
}

function toRow(entry: Omit<AuditEntry, 'id'>) {
  return {
    environment_id: entry.environmentId,
    project_id: entry.projectId,
    branch: entry.branch,
    kind: entry.kind,
    detail: withoutNul(entry.detail),
    occurred_at: entry.occurredAt,
    operator: entry.operator,
    request_id: entry.requestId,
  }
}

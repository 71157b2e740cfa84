import { type Selectable, sql } from 'kysely'
import type { ScheduleRun } from '../domain/records.ts'
import type { ScheduleRunStore } from '../ports.ts'
import type { Access } from './access.ts'
import { allColumns, returnedRow, withoutNul } from './rows.ts'
import type { Changes, ScheduleRunTable } from './schema.ts'

/** Runs of each schedule that are kept. */
const kept = 20

export function createScheduleRunStore({ db, write }: Access): ScheduleRunStore {
  const all = () => db.selectFrom('schedule_runs').selectAll().orderBy('due_at', 'desc')

  return {
    async list({ projectId, branch, name }) {
      let query = all().where('project_id', '=', projectId).where('branch', '=', branch)
      if (name !== undefined) query = query.where('name', '=', name)
      return (await query.execute()).map(toRun)
    },

    async listRunning() {
      return (await all().where(sql<boolean>`outcome = 'running'`).execute()).map(toRun)
    },

    create: (draft) =>
      write(async (db) => {
        const values = allColumns<ScheduleRunTable>(toRow(draft))
        const rows = await db
          .insertInto('schedule_runs')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .execute()
        if (rows.length === 0) return undefined
        const run = toRun(returnedRow(rows))
        const same = db
          .selectFrom('schedule_runs')
          .select('id')
          .where('project_id', '=', run.projectId)
          .where('branch', '=', run.branch)
          .where('name', '=', run.name)
          .orderBy('due_at', 'desc')
          .limit(kept)
        await db
          .deleteFrom('schedule_runs')
          .where('project_id', '=', run.projectId)
          .where('branch', '=', run.branch)
          .where('name', '=', run.name)
          .where('outcome', '<>', 'running')
          .where('id', 'not in', same)
          .execute()
        return run
      }),

    async end(id, changes) {
      await write(async (db) => {
        const query = db.updateTable('schedule_runs').set(toRow(changes)).where('id', '=', id)
        await query.where(sql<boolean>`outcome = 'running'`).execute()
      })
    },
  }
}

function toRun(row: Selectable<ScheduleRunTable>): ScheduleRun {
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    name: row.name,
    environmentId: row.environment_id,
    dueAt: row.due_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    outcome: row.outcome,
    exitCode: row.exit_code,
    detail: row.detail,
  }
}

function toRow(run: Partial<Omit<ScheduleRun, 'id'>>): Changes<ScheduleRunTable> {
  return {
    project_id: run.projectId,
    branch: run.branch,
    name: run.name,
    environment_id: run.environmentId,
    due_at: run.dueAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    outcome: run.outcome,
    exit_code: run.exitCode,
    detail: withoutNul(run.detail),
  }
}

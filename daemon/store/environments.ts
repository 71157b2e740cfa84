import { type Compilable, type Kysely, sql } from 'kysely'
import type { Environment, EnvironmentState } from '../domain/records.ts'
import type { EnvironmentStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { hasLiveState, liveEnvironments, oneOf, pairsTable } from './dialect.ts'
import { toEnvironment, toEnvironmentRow as toRow } from './environment-rows.ts'
import type { EnvironmentTracker, RoutingColumns } from './environment-tracker.ts'
import { createHostnameStore } from './hostnames.ts'
import { allColumns, returnedRow } from './rows.ts'
import type { EnvironmentTable, Schema } from './schema.ts'

/**
 * Reads and writes environments. `readMany` reads the environments that a query for ids selects; outside of a
 * transaction it uses the cache of `tracker`.
 */
export function createEnvironmentStore(
  access: Access,
  {
    tracker,
    publish,
    readMany,
  }: { tracker: EnvironmentTracker; publish: Publish; readMany: ReadMany },
): EnvironmentStore {
  const { db, write } = access
  const all = () => db.selectFrom('environments').selectAll()
  const changed = (before: RoutingColumns | undefined, environment: Environment) => {
    tracker.changed(before, environment)
    publish({ topic: 'environment', environment })
  }

  return {
    ...createHostnameStore(access),

    async find(id) {
      const row = await all().where('id', '=', id).executeTakeFirst()
      return row && toEnvironment(row)
    },

    async list(projectId, branch) {
      const query = all().where('project_id', '=', projectId).orderBy('id')
      const rows = await (branch === undefined
        ? query
        : query.where('branch', '=', branch)
      ).execute()
      return rows.map(toEnvironment)
    },

    async findLive(projectId, branch) {
      const query = all().where('project_id', '=', projectId).where('branch', '=', branch)
      const row = await query.where(hasLiveState).orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row && toEnvironment(row)
    },

    async findLiveByHostname(hostname) {
      const query = all().where('hostname', '=', hostname).where(hasLiveState)
      const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row && toEnvironment(row)
    },

    listLive: ({ nodeId, projectId } = {}) => readMany((db) => liveIds(db, nodeId, projectId)),

    listByState: (states) =>
      readMany((db) =>
        db.selectFrom('environments').select('id').where('state', 'in', oneOf(states)),
      ),

    async listSuccessful(projectId, branch) {
      const query = all().where('project_id', '=', projectId).where('branch', '=', branch)
      const rows = await query.where(sql<boolean>`has_run = 1`).orderBy('id', 'desc').execute()
      return rows.map(toEnvironment)
    },

    create: (draft) =>
      write(async (db, committed) => {
        const values = allColumns<EnvironmentTable>(toRow(draft))
        const row = returnedRow(
          await db.insertInto('environments').values(values).returningAll().execute(),
        )
        const environment = toEnvironment(row)
        committed(() => changed(undefined, environment))
        return environment
      }),

    update: (id, changes, { at, ifState }) =>
      write(async (db, committed) => {
        const before = await db
          .selectFrom('environments')
          .select(['state', 'hostname', 'host_port', 'host_address', 'node_id'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (!before || (ifState && !ifState.includes(before.state))) return undefined
        const row = { ...toRow(changes), updated_at: at }
        const query = db.updateTable('environments').set(row).where('id', '=', id)
        const environment = toEnvironment(returnedRow(await query.returningAll().execute()))
        committed(() => changed(before, environment))
        return environment
      }),

    async touch(accesses) {
      if (accesses.size === 0) return
      await write(async (db, committed) => {
        await db
          .updateTable('environments')
          .from(pairsTable(accesses).as('access'))
          .set((of) => ({ last_accessed_at: of.ref('access.at') }))
          .whereRef('environments.id', '=', 'access.id')
          .whereRef('environments.last_accessed_at', '<', 'access.at')
          .execute()
        committed(() => tracker.touched(accesses))
      })
    },

    async count() {
      const rows = await db
        .selectFrom('environments')
        .select(['state', (of) => of.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
    },

    version: () => tracker.version(),
  }
}

/** Reads the environments of a query for ids, ordered by id. */
export type ReadMany = (
  ids: (db: Kysely<Schema>) => Compilable & { execute(): Promise<{ id: number }[]> },
) => Promise<Environment[]>

const none: Readonly<Record<EnvironmentState, number>> = {
  building: 0,
  build_failed: 0,
  running: 0,
  paused: 0,
  hibernating: 0,
  destroyed: 0,
}

/** Selects the newest live row of each branch. Uses only the partial index, unless filtered by node. */
function liveIds(db: Kysely<Schema>, nodeId: number | undefined, projectId: number | undefined) {
  let newest = db
    .selectFrom(liveEnvironments.as('live'))
    .select((of) => of.fn.max('id').as('id'))
    .groupBy(['project_id', 'branch'])
  if (projectId !== undefined) newest = newest.where('project_id', '=', projectId)
  const ids = db.selectFrom(newest.as('newest')).select('newest.id')
  if (nodeId === undefined) return ids
  return ids
    .innerJoin('environments', 'environments.id', 'newest.id')
    .where('environments.node_id', '=', nodeId)
}

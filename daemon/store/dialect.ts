import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { QueueState } from '../domain/records.ts'
import { liveStates } from '../domain/states.ts'
import type { Connection } from './connection.ts'
import type { EnvironmentTable, Schema } from './schema.ts'

/**
 * Creates Kysely over a connection. Only this file contains SQLite-specific expressions. `access.ts` decides which
 * caller may use the connection.
 */
export function createKysely(connection: Connection): Kysely<Schema> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => createSession(connection),
      releaseConnection: async (session) => (session as Session).end(),
      beginTransaction: unsupported,
      commitTransaction: unsupported,
      rollbackTransaction: unsupported,
      destroy: async () => {},
    }),
  }
  return new Kysely<Schema>({ dialect })
}

interface Session extends DatabaseConnection {
  end(): void
}

/** One exclusive use of the connection. A late query fails instead of joining the next transaction. */
function createSession(connection: Connection): Session {
  let hasEnded = false
  return {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      if (hasEnded) throw new Error('a query ran after its transaction: await it inside')
      const { rows, changes } = connection.query(sql, parameters)
      // The cast is safe: Kysely has checked the row type against the schema.
      return { rows, numAffectedRows: BigInt(changes) } as unknown as QueryResult<Row>
    },
    streamQuery() {
      throw new Error('streaming is not supported: results are bounded')
    },
    end() {
      hasEnded = true
    },
  }
}

async function unsupported(): Promise<never> {
  throw new Error('access.ts runs transactions')
}

/** Values for `in`, passed as a single parameter, so that the statement can be cached. */
export function oneOf<Value extends string | number>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`
}

/** Keep the spelling of the partial indexes: SQLite uses an index only if the conditions match textually. */
export const hasLiveState = sql<boolean>`state IN (${sql.raw(liveStates.map((state) => `'${state}'`).join(', '))})`

/** Reads live rows from their covering index, ordered by branch. Otherwise the planner would sort them. */
export const liveEnvironments = sql<
  Pick<EnvironmentTable, 'project_id' | 'branch'> & { id: number }
>`
  (SELECT project_id, branch, id FROM environments INDEXED BY environments_live WHERE ${hasLiveState})`

/** Inlines a state as a literal, which the partial indexes of the queue need. */
export function literal<State extends QueueState>(state: State): RawBuilder<State> {
  return sql.lit(state)
}

/** A table of values with one column, `value`. */
export function valuesTable(values: readonly (string | number)[]): RawBuilder<{ value: number }> {
  return sql`json_each(${JSON.stringify(values)})`
}

/** A table of pairs of numbers with the columns `id` and `at`. */
export function pairsTable(
  entries: Iterable<readonly [number, number]>,
): RawBuilder<{ id: number; at: number }> {
  return sql`(select value ->> 0 as id, value ->> 1 as at from json_each(${JSON.stringify([...entries])}))`
}

/** Returns the ids of a query as one JSON text, ten times faster than one row per id. */
export function idsAsText(db: Kysely<Schema>, ids: Compilable): CompiledQuery<{ ids: string }> {
  const { sql: text, parameters } = ids.compile()
  const query = sql<{ ids: string }>`select json_group_array(id) as ids from (${sql.raw(text)})`
  return { ...query.compile(db), parameters }
}

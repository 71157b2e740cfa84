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
import type { Connection } from './connection.ts'
import type { EnvironmentTable, Schema } from './schema.ts'

/**
 * Kysely over a connection, and every expression that is SQLite's own: what PostgreSQL would need another one of.
 * Who may use the connection when is not its business: see `access.ts`.
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
      beginTransaction: notHere,
      commitTransaction: notHere,
      rollbackTransaction: notHere,
      destroy: async () => {},
    }),
  }
  return new Kysely<Schema>({ dialect })
}

interface Session extends DatabaseConnection {
  end(): void
}

/** One turn at the connection. A query that was not waited for can't slip into the next one's transaction. */
function createSession(connection: Connection): Session {
  let isOver = false
  return {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      if (isOver) throw new Error('a query came after its transaction: wait for it inside')
      const { rows, changes } = connection.query(sql, parameters)
      // The type of a row is that of the query which Kysely has checked against the schema.
      return { rows, numAffectedRows: BigInt(changes) } as unknown as QueryResult<Row>
    },
    streamQuery() {
      throw new Error('queries are not streamed: their results are bounded')
    },
    end() {
      isOver = true
    },
  }
}

async function notHere(): Promise<never> {
  throw new Error('transactions are those of access.ts')
}

/** For `in`: one statement however many values there are. */
export function oneOf<Value extends string | number>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`
}

/** In the words of the partial indexes: SQLite uses one only for a condition it can read as the same. */
export const hasLiveState = sql<boolean>`state IN ('running', 'paused', 'hibernating')`

/** Live rows in the order of their branches, read off their index alone: the planner would sort all of them. */
export const liveEnvironments = sql<
  Pick<EnvironmentTable, 'project_id' | 'branch'> & { id: number }
>`
  (SELECT project_id, branch, id FROM environments INDEXED BY environments_live WHERE ${hasLiveState})`

/** A state as a part of the statement, for the partial indexes of the queue. */
export function literally<State extends QueueState>(state: State): RawBuilder<State> {
  return sql.lit(state)
}

/** A table with one column `value`. */
export function listed(values: readonly (string | number)[]): RawBuilder<{ value: number }> {
  return sql`json_each(${JSON.stringify(values)})`
}

/** A table of pairs of numbers, `id` and `at`. */
export function pairs(
  entries: Iterable<readonly [number, number]>,
): RawBuilder<{ id: number; at: number }> {
  return sql`(select value ->> 0 as id, value ->> 1 as at from json_each(${JSON.stringify([...entries])}))`
}

/** The ids of a query as one text: a tenth of the time of a row for each. */
export function idsAsText(db: Kysely<Schema>, ids: Compilable): CompiledQuery<{ ids: string }> {
  const { sql: text, parameters } = ids.compile()
  const query = sql<{ ids: string }>`select json_group_array(id) as ids from (${sql.raw(text)})`
  return { ...query.compile(db), parameters }
}

import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'

/** `schema.ts` describes the tables. Repositories convert rows to the types of the domain. */
export type Tables = Record<string, Record<string, unknown>>

/** The database, or a transaction. */
export type Db = Kysely<Tables>

/** Cache size, above the app's usual number of queries. */
const maxQueries = 256

/** Stands for a value that every run of a query gives. */
class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

export type Run = ReturnType<typeof createRun>

/**
 * Returns a function that compiles a query once for each `key`, because that takes longer than the query itself. `build`
 * gets a placeholder for each of the `values`.
 */
export function createRun() {
  const queries = new Map<string, CompiledQuery>()

  function compiled(key: string, build: () => Compilable): CompiledQuery {
    const found = queries.get(key)
    if (found) return found
    const [oldest] = queries.keys()
    if (queries.size >= maxQueries && oldest !== undefined) queries.delete(oldest)
    const query = build().compile()
    queries.set(key, query)
    return query
  }

  return (
    db: Db,
    key: string,
    values: readonly unknown[],
    build: (placeholders: readonly unknown[]) => Compilable,
  ): Promise<QueryResult<Record<string, unknown>>> => {
    const query = compiled(key, () => build(values.map((_, index) => new Placeholder(index))))
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.index] : each,
    )
    return db.executeQuery<Record<string, unknown>>({ ...query, parameters })
  }
}

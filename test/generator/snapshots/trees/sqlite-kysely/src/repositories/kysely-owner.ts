import { createRun, type Db } from '../infra/queries.js'
import type { Store } from '../infra/store.js'
import { guard } from './kysely-errors.js'
import { targetOf } from './kysely-relations.js'
import { columnOf, tableOf } from './kysely-rows.js'

/** Returns a function that reads the id of a record's owner without the record. */
export function createOwner({ db }: Store, name: string) {
  const run = createRun()
  return async (id: number): Promise<number | undefined> => {
    const { rows } = await guard(run(db, 'owner', [id], ([id]) => ownerOf(db, name, id)))
    return rows[0]?.owner as number | undefined
  }
}

/** Follows the foreign keys from a record to its owner. */
function ownerOf(db: Db, name: string, id: unknown) {
  const [first = '', ...rest] = tableOf(name).owner ?? []
  const select = (from: string, key: string, id: unknown) =>
    db
      .selectFrom(from)
      .select(`${columnOf(from, key).name} as owner`)
      .where('id', '=', id)
  let [table, key, query] = [name, first, select(name, first, id)]
  for (const next of rest) {
    table = targetOf(table, key)
    key = next
    query = select(table, key, query)
  }
  return query
}

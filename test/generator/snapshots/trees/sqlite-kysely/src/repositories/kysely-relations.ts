import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../domain/app-error.js'
import { among, toList } from '../infra/dialect.js'
import type { Db, Run, Tables } from '../infra/queries.js'
import type { Condition } from './kysely-list.js'
import { assign, columnOf, tableOf } from './kysely-rows.js'

/** Starts a subquery. */
const from = expressionBuilder<Tables, string>().selectFrom

/** Returns the conditions of a list on links, and on the users who may see a record. */
export function relationConditions(name: string, filter: Record<string, unknown>): Condition[] {
  const { many = [], viewers = [] } = tableOf(name)
  const conditions: Condition[] = []
  for (const { filter: parameter, to, key, links, holder, target } of many) {
    if (filter[parameter] === undefined) continue
    const holders = from(links).innerJoin(to, `${to}.id`, `${links}.${target}`)
    conditions.push({
      key: parameter,
      values: [filter[parameter]],
      build: ([value]) =>
        sql`${sql.ref(`${name}.id`)} in ${holders.select(`${links}.${holder}`).where(`${to}.${key}`, '=', value)}`,
    })
  }
  if (filter.visibleTo !== undefined)
    for (const path of viewers)
      conditions.push({
        key: `visible by ${path}`,
        values: [filter.visibleTo],
        build: ([user]) => refersTo(name, path, user),
      })
  return conditions
}

/** Returns the condition that a path of foreign keys leads from a record to a user. */
function refersTo(
  name: string,
  [key = '', ...rest]: readonly string[],
  user: unknown,
): Expression<SqlBool> {
  const column = sql.ref(`${name}.${columnOf(name, key).name}`)
  if (rest.length === 0) return sql`${column} = ${user}`
  const to = targetOf(name, key)
  return sql`${column} in ${from(to)
    .select(`${to}.id`)
    .where(refersTo(to, rest, user))}`
}

/** Returns the table that a foreign key refers to. */
export function targetOf(name: string, key: string): string {
  const reference = tableOf(name).references?.find((each) => each.key === key)
  if (!reference) throw new Error(`${name} has no reference ${key}`)
  return reference.to
}

type Data = Record<string, unknown>

export type Relations = ReturnType<typeof createRelations>

/** Creates the functions that write and check the relations of a record. */
export function createRelations(run: Run, name: string) {
  const { references = [], many = [] } = tableOf(name)

  /** Replaces the links of the lists in `data`. Throws AppError `invalid` if a list names an absent record. */
  async function link(trx: Db, id: number, data: Data) {
    for (const { field, path, links, holder, target, to, key } of many) {
      const keys = data[field] as readonly unknown[] | undefined
      if (!keys) continue
      const { rows } = await run(trx, `find ${to}`, [toList(keys)], ([keys]) =>
        trx
          .selectFrom(to)
          .select(['id', `${key} as key`])
          .where(among(`${to}.${key}`, keys)),
      )
      const unknown = keys.filter((each) => !rows.some(({ key }) => key === each))
      if (unknown.length > 0) {
        const message = `names unknown records: ${unknown.join(', ')}`
        throw new AppError('invalid', 'validation failed', { details: [{ path, message }] })
      }
      await run(trx, `unlink ${links}`, [id], ([id]) =>
        trx.deleteFrom(links).where(holder, '=', id),
      )
      for (const { id: linked } of rows) {
        await run(trx, `link ${links}`, [id, linked], (ids) =>
          trx.insertInto(links).values(assign([holder, target], ids)),
        )
      }
    }
  }

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(db: Db, data: Data) {
    for (const { key, to } of references) {
      const id = data[key]
      if (typeof id !== 'number') continue
      const { rows } = await run(db, `exists ${to}`, [id], ([id]) =>
        db.selectFrom(to).select('id').where('id', '=', id),
      )
      if (rows.length === 0) throw new AppError('not-found', `${tableOf(to).words} not found`)
    }
  }

  // A statement returns neither links nor the new state of a record that refers to itself.
  const isReadBack = many.length > 0 || references.some(({ to }) => to === name)
  return { link, assertReferences, isReadBack }
}

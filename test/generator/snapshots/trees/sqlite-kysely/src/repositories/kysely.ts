import { type SelectQueryBuilder, sql } from 'kysely'
import { createRun, type Db, type Run, type Tables } from '../infra/queries.js'
import type { Store } from '../infra/store.js'
import { guard } from './kysely-errors.js'
import { type Condition, conditionsOf, following, type Order, orderOf } from './kysely-list.js'
import { createReader } from './kysely-reader.js'
import { createRelations } from './kysely-relations.js'
import { selection, tableOf, toRecord } from './kysely-rows.js'
import { createWriter } from './kysely-writer.js'
import type { Check, Page, Repository, Stored } from './repository.js'

/** Pages beyond this limit are empty. */
const lastPage = Math.floor(2 ** 31 / 100)

/** Creates the repository of a table of `schema.ts`. Each query is compiled once. */
export function createRepository<
  Row extends Stored,
  Draft extends object,
  Filter,
  Details extends Row,
>({ db }: Store, name: string): Repository<Row, Draft, Filter, Details> {
  const run = createRun()
  const { find, findDetails, withLinks } = createReader(run)
  const relations = createRelations(run, name)
  const writer = createWriter(run, find, name, relations)
  // Long names come first, because the name of a constraint can end in several of them.
  const unique = [
    ...Object.values(tableOf(name).columns).flatMap((each) => (each.unique ? [each.name] : [])),
    ...(tableOf(name).unique ?? []).map((columns) => columns.join(' + ')),
  ].sort((a, b) => b.length - a.length)

  return {
    async list({ page, pageSize, sort, after, ...filter }: Page & Filter) {
      const conditions = conditionsOf(name, filter)
      const order = orderOf(name, sort)
      const rest = after ? [...conditions, following(name, order, after)] : conditions
      const limit = after ? pageSize + 1 : pageSize
      const skip = (Math.min(page, lastPage) - 1) * pageSize
      const [found, total] = await guard(
        Promise.all([
          readPage(db, run, name, rest, order, [limit, skip]),
          count(db, run, name, conditions),
        ]),
      )
      const records = await guard(withLinks(db, name, found.slice(0, pageSize)))
      const hasMore = after ? found.length > pageSize : page * pageSize < total
      return { rows: records as Stored[] as Row[], total, hasMore }
    },

    async find(id) {
      return (await guard(findDetails(db, name, id))) as Stored | undefined as Details | undefined
    },

    async create(draft) {
      const record = await guard(writer.create(db, { ...draft }), unique, () =>
        relations.assertReferences(db, draft),
      )
      return record as Stored as Row
    },

    async update(id, changes, check) {
      const record = await guard(
        writer.update(db, id, { ...changes }, check as Check<Stored> | undefined),
        unique,
        () => relations.assertReferences(db, changes),
      )
      return record as Stored | undefined as Row | undefined
    },

    remove: (id, check) => guard(writer.remove(db, id, check as Check<Stored> | undefined)),
  }
}

/** Reads a section of a list: its maximum length, and the number of records to skip. */
async function readPage(
  db: Db,
  run: Run,
  name: string,
  conditions: readonly Condition[],
  order: readonly Order[],
  section: readonly [limit: number, skip: number],
) {
  const key = `list${keyOf(conditions)} by${order.map((each) => ` ${each.name} ${each.descending}`)}`
  const { rows } = await run(db, key, [...valuesOf(conditions), ...section], (placeholders) => {
    const [limit, skip] = placeholders.slice(-2).map((each) => sql<number>`${each}`)
    const page = inOrder(meeting(db.selectFrom(name), conditions, placeholders), name, order)
      .limit(limit ?? 0)
      .offset(skip ?? 0)
    if (!(tableOf(name).references ?? []).some(({ label }) => label))
      return page.select(selection(name))
    // The labels of skipped records would take time, so the page comes first.
    const records = db.selectFrom(page.selectAll().as('page')).select(selection(name, 'page'))
    return inOrder(records, 'page', order)
  })
  return rows.map((row) => toRecord(name, row))
}

async function count(
  db: Db,
  run: Run,
  name: string,
  conditions: readonly Condition[],
): Promise<number> {
  const { rows } = await run(
    db,
    `count${keyOf(conditions)}`,
    valuesOf(conditions),
    (placeholders) =>
      meeting(
        db.selectFrom(name).select(({ fn }) => fn.countAll().as('total')),
        conditions,
        placeholders,
      ),
  )
  return Number(rows[0]?.total)
}

type Query = SelectQueryBuilder<Tables, string, object>

function keyOf(conditions: readonly Condition[]): string {
  return conditions.map(({ key }) => ` ${key}`).join()
}

function valuesOf(conditions: readonly Condition[]): unknown[] {
  return conditions.flatMap(({ values }) => values)
}

/** Adds the conditions to a query. The placeholders are those of the values, in their order. */
function meeting(
  query: Query,
  conditions: readonly Condition[],
  placeholders: readonly unknown[],
): Query {
  let used = 0
  return conditions.reduce((narrowed, { values, build }) => {
    const own = placeholders.slice(used, used + values.length)
    used += values.length
    return narrowed.where(build(own))
  }, query)
}

function inOrder(query: Query, from: string, order: readonly Order[]): Query {
  return order.reduce(
    (ordered, { name, descending, optional }) =>
      ordered.orderBy(`${from}.${name}`, (by) => {
        const direction = descending ? by.desc() : by.asc()
        if (!optional) return direction
        return descending ? direction.nullsLast() : direction.nullsFirst()
      }),
    query,
  )
}

import { type Expression, type SqlBool, sql } from 'kysely'
import { foldText } from '../domain/fold-text.js'
import { contains, toStored } from '../infra/dialect.js'
import { relationConditions } from './kysely-relations.js'
import { columnOf, tableOf } from './kysely-rows.js'
import type { Position, Sort } from './repository.js'

/** A condition on the rows of a list. Lists with equal keys share a compiled query. */
export interface Condition {
  key: string
  values: readonly unknown[]
  build: (placeholders: readonly unknown[]) => Expression<SqlBool>
}

const operators: Record<string, string> = { equals: '=', gte: '>=', gt: '>', lte: '<=', lt: '<' }

const newestFirst: Sort = [{ field: 'createdAt', descending: true }]

/** Returns the conditions of a list's filter. */
export function conditionsOf(name: string, filter: Record<string, unknown>): Condition[] {
  const { columns } = tableOf(name)
  const conditions: Condition[] = []
  for (const [property, column] of Object.entries(columns)) {
    const given = column.filter ? filter[property] : undefined
    if (given === undefined) continue
    const bounds = typeof given === 'object' ? given : { equals: given }
    for (const [operator, value] of Object.entries(bounds ?? {}))
      if (value !== undefined)
        conditions.push(comparison(name, property, operators[operator] ?? '=', value))
  }
  if (typeof filter.search === 'string') conditions.push(searching(name, filter.search))
  conditions.push(...relationConditions(name, filter))
  return conditions
}

function comparison(name: string, property: string, operator: string, value: unknown): Condition {
  const column = columnOf(name, property)
  return {
    key: `${property}${operator}`,
    values: [toStored(column, value)],
    build: ([bound]) => sql`${sql.ref(`${name}.${column.name}`)} ${sql.raw(operator)} ${bound}`,
  }
}

/** Returns the condition that one of the searched columns contains a text. */
function searching(name: string, search: string): Condition {
  const texts = Object.values(tableOf(name).columns).filter((column) => column.search)
  return {
    key: 'search',
    values: [foldText(search)],
    build: ([text]) =>
      anyOf(texts.map((column) => contains(sql.ref(`${name}.${column.name}_search`), text))),
  }
}

/** A column that sorts a list. */
export interface Order {
  property: string
  name: string
  descending: boolean
  optional: boolean
}

/** Returns the order of a list. Ids break ties, in the direction of the first field. */
export function orderOf(table: string, sort: Sort = newestFirst): Order[] {
  const ties = { field: 'id', descending: sort[0].descending }
  const fields = sort.some(({ field }) => field === 'id') ? sort : [...sort, ties]
  return fields.map(({ field, descending }) => {
    const { name, optional = false } = columnOf(table, field)
    return { property: field, name, descending, optional }
  })
}

/** Returns the condition of the rows after a position. */
export function following(table: string, order: readonly Order[], after: Position): Condition {
  const values = order.map(({ property }, i) => {
    const value = property === 'id' ? after.id : after.values[i]
    return value === null ? null : toStored(columnOf(table, property), value)
  })
  return {
    key: `after ${values.map((value) => (value === null ? 'null' : ''))}`,
    values,
    build: (placeholders) =>
      anyOf(
        order.flatMap((each, at) => {
          const same = order
            .slice(0, at)
            .map(({ name }, i) => equals(sql.ref(`${table}.${name}`), values[i], placeholders[i]))
          const column = sql.ref(`${table}.${each.name}`)
          return beyond(column, each, values[at], placeholders[at]).map((next) =>
            allOf([...same, next]),
          )
        }),
      ),
  }
}

type Bool = Expression<SqlBool>

function equals(column: Expression<unknown>, value: unknown, placeholder: unknown): Bool {
  return value === null ? sql`${column} is null` : sql`${column} = ${placeholder}`
}

/** Lists the conditions of a value after another. NULL comes before every value. */
function beyond(
  column: Expression<unknown>,
  { descending, optional }: Order,
  value: unknown,
  placeholder: unknown,
): Bool[] {
  if (value === null) return descending ? [] : [sql`${column} is not null`]
  if (!descending) return [sql`${column} > ${placeholder}`]
  const less = sql<SqlBool>`${column} < ${placeholder}`
  return optional ? [less, sql`${column} is null`] : [less]
}

function anyOf(conditions: readonly Bool[]): Bool {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`
}

function allOf(conditions: readonly Bool[]): Bool {
  return sql`(${sql.join(conditions, sql` and `)})`
}

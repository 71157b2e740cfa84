import { sql } from 'kysely'
import { foldText } from '../domain/fold-text.js'
import { fromStored, toStored } from '../infra/dialect.js'
import type { Db, Run } from '../infra/queries.js'
import { schema } from '../infra/schema.js'
import type { Column, Table } from '../infra/table.js'
import type { Stored } from './repository.js'

/** A record of any table. */
export type AppRecord = Stored & Record<string, unknown>

type Row = Record<string, unknown>

const managed: Record<string, Column> = {
  id: { name: 'id' },
  createdAt: { name: 'created_at', type: 'datetime' },
  updatedAt: { name: 'updated_at', type: 'datetime' },
}

/** The columns of each table by property. */
const columnLists = new Map(
  Object.entries(schema).map(([name, { columns }]) => [
    name,
    Object.entries({ ...managed, ...columns }),
  ]),
)

export function tableOf(name: string): Table {
  const table = schema[name]
  if (!table) throw new Error(`the schema has no ${name}`)
  return table
}

/** Returns the column of a property. */
export function columnOf(table: string, property: string): Column {
  const column = managed[property] ?? tableOf(table).columns[property]
  if (!column) throw new Error(`the table ${table} has no ${property}`)
  return column
}

/** Lists the columns of a record. */
export function selection(name: string, from = name) {
  return (columnLists.get(name) ?? []).map(([property, { name, type }]) => {
    const column = sql.ref(`${from}.${name}`)
    return (type === 'json' ? sql`cast(${column} as text)` : column).as(property)
  })
}

/** Converts the columns of a record. */
export function toRecord(name: string, row: Row): AppRecord {
  const record: Row = {}
  for (const [property, column] of columnLists.get(name) ?? [])
    record[property] = row[property] === null ? null : fromStored(column, row[property])
  return record as AppRecord
}

/** Finds a record without the links of many-to-many relations. */
export async function findById(
  run: Run,
  db: Db,
  name: string,
  id: number,
): Promise<AppRecord | undefined> {
  const { rows } = await run(db, `${name} by id`, [id], ([id]) =>
    db.selectFrom(name).select(selection(name)).where(`${name}.id`, '=', id),
  )
  return rows[0] && toRecord(name, rows[0])
}

/** Converts a record, or changes to a record, to columns, search columns included. */
export function toRow(name: string, data: object): Row {
  const given: Row = { ...data }
  const row: Row = {}
  for (const [property, column] of columnLists.get(name) ?? []) {
    const value = given[property]
    if (value === undefined) continue
    row[column.name] = toStored(column, value)
    if (column.search) row[`${column.name}_search`] = foldText(String(value ?? ''))
  }
  return row
}

/** Gives each column its value. */
export function assign(
  names: readonly string[],
  values: readonly unknown[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, values[i]]))
}

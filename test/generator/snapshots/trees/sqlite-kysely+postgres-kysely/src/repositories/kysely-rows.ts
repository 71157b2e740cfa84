import { type ExpressionBuilder, sql } from 'kysely'
import { foldText } from '../domain/fold-text.js'
import { fromStored, toStored } from '../infra/dialect.js'
import type { Tables } from '../infra/queries.js'
import { schema } from '../infra/schema.js'
import type { Column, Table } from '../infra/table.js'
import type { Stored } from './repository.js'

/** A record of any table. */
export type AppRecord = Stored & Record<string, unknown>

type Row = Record<string, unknown>

const stamps: Record<'createdAt' | 'updatedAt', Column> = {
  createdAt: { name: 'created_at', type: 'datetime' },
  updatedAt: { name: 'updated_at', type: 'datetime' },
}

const managed: Record<string, Column> = { id: { name: 'id', type: 'uint' }, ...stamps }

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

/** Returns a function that lists the columns of a record, and the labels of referenced records. */
export function selection(name: string, from = name) {
  const { columns, references = [] } = tableOf(name)
  return (eb: ExpressionBuilder<Tables, string>) => [
    ...Object.entries({ ...managed, ...columns }).map(([property, { name, type }]) => {
      const column = sql.ref(`${from}.${name}`)
      return (type === 'json' ? sql`cast(${column} as text)` : column).as(property)
    }),
    ...references.flatMap(({ key, to, as, label }) => {
      if (label === undefined) return []
      const id = `${from}.${columnOf(name, key).name}`
      const found = eb.selectFrom(`${to} as target`).whereRef('target.id', '=', id)
      return found.select(`target.${columnOf(to, label).name}`).as(`${as}.label`)
    }),
  ]
}

/** Converts a row of `selection`. Leaves out the summary for the foreign key `whole`. */
export function toRecord(name: string, row: Row, whole?: string): AppRecord {
  const { columns, references = [] } = tableOf(name)
  const record: Row = { id: row.id }
  for (const [property, column] of Object.entries(columns))
    record[property] = read(column, row[property])
  for (const { key, as, label } of references) {
    if (key === whole) continue
    const summary = { id: row[key], ...(label && { [label]: row[`${as}.label`] }) }
    record[as] = row[key] === null ? null : summary
  }
  record.createdAt = read(stamps.createdAt, row.createdAt)
  record.updatedAt = read(stamps.updatedAt, row.updatedAt)
  return record as AppRecord
}

function read(column: Column, value: unknown): unknown {
  return value === null ? null : fromStored(column, value)
}

/** Converts a record, or changes to a record, to columns, search columns included. */
export function toRow(name: string, data: object): Row {
  const given: Row = { ...data }
  const row: Row = {}
  for (const [property, column] of Object.entries({ ...tableOf(name).columns, ...stamps })) {
    const value = given[property]
    if (value === undefined) continue
    row[column.name] = toStored(column, value)
    if (column.search) row[`${column.name}_search`] = foldText(String(value ?? ''))
  }
  return row
}

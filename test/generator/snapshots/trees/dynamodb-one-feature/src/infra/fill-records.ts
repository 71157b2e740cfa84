import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Collection, Field, FieldType } from './collection.js'
import { entriesOf } from './entries.js'
import type { Table } from './get-items.js'
import { type Item, toItem } from './item.js'
import { listPartition, schemaKey } from './keys.js'
import { mapConcurrently } from './map-concurrently.js'
import { idsIn } from './pages.js'
import { createRecords, type RecordTable } from './records.js'

/** The number of concurrent writes, and of records in one read. */
const maxWrites = 8
const readBatchSize = 100

/** The collection as of the app's previous start. */
interface StoredSchema {
  schema: Collection
  /**
   * Versions of the schema whose set-up has started but not ended, in this process or in another.
   */
  begun: readonly Collection[]
}

/**
 * Updates the records to the collection's fields: sets the defaults of new fields, and writes the entries of new
 * indexes. Does nothing if the collection has not changed since the app's previous start. Throws if a record lacks a
 * required value, has a value of another type, or shares a unique value.
 */
export async function fillRecords(
  table: RecordTable,
  name: string,
  collection: Collection,
): Promise<void> {
  const stored = await readSchema(table, name)
  if (stored) {
    const known = [stored.schema, ...stored.begun]
    if (known.every((each) => isSame(each, collection))) return
    const ids = await idsIn(table, listPartition(name))
    const fill = createFiller(name, stored.schema, collection)
    await assertFit(table, name, { collection, ids, fill })
    await writeSchema(table, name, { ...stored, begun: [...stored.begun, collection] })
    const keysBefore = (record: Item) =>
      known.flatMap((each) => entriesOf(name, each, record)).map(({ key }) => ({ key }))
    const records = createRecords(table, name, collection, keysBefore)
    await mapConcurrently(maxWrites, ids, (id) =>
      records.change(id, (record) => ({ after: fill(record) })),
    )
  }
  await writeSchema(table, name, { schema: collection, begun: [] })
}

/** Throws if a record does not fit the collection. Checks all records before the first change. */
async function assertFit(
  table: RecordTable,
  name: string,
  {
    collection,
    ids,
    fill,
  }: { collection: Collection; ids: number[]; fill: (record: Item) => Item },
): Promise<void> {
  const records = createRecords(table, name, collection)
  const owners = new Map<string, unknown>()
  const check = (record: Item) => {
    for (const { key, unique } of entriesOf(name, collection, fill(record))) {
      if (!unique) continue
      const other = owners.get(key.PK) ?? record.id
      owners.set(key.PK, other)
      if (other === record.id) continue
      throw new Error(
        `${name}.${unique} is unique, but the records ${other} and ${record.id} share a value: change one`,
      )
    }
  }
  for (let at = 0; at < ids.length; at += readBatchSize) {
    for (const record of await records.read(ids.slice(at, at + readBatchSize))) check(record)
  }
}

async function readSchema(
  { client, table }: Table,
  name: string,
): Promise<StoredSchema | undefined> {
  const key = { TableName: table, Key: schemaKey(name), ConsistentRead: true }
  const { Item } = await client.send(new GetCommand(key))
  return Item && (JSON.parse(String(Item.book)) as StoredSchema)
}

async function writeSchema(
  { client, table }: Table,
  name: string,
  schema: StoredSchema,
): Promise<void> {
  const Item = { ...schemaKey(name), book: JSON.stringify(schema) }
  await client.send(new PutCommand({ TableName: table, Item }))
}

function isSame(a: Collection, b: Collection): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the function that updates a record. It throws if the record does not fit. */
function createFiller(name: string, before: Collection, collection: Collection) {
  const fields = Object.values(collection.fields)
  const old = new Map(Object.values(before.fields).map((field) => [field.name, field]))
  const hasNewType = (field: Field) => old.get(field.name)?.type !== field.type
  const defaults = fields.map((field) => [field.name, defaultOf(field)])
  const defaultValues = toItem(Object.fromEntries(defaults), collection)
  return (record: Item): Item => {
    const filled = { ...record }
    for (const field of fields) {
      const value = record[field.name]
      const place = `${name}.${field.name}`
      if (value !== undefined) {
        if (!hasNewType(field) || typeChecks[field.type](value)) continue
        throw new Error(
          `${place} of record ${record.id} is not of type ${field.type}: convert the stored values`,
        )
      }
      const previous = old.get(field.name)
      if (previous?.optional && field.optional) continue
      const fallback = defaultValues[field.name]
      if (fallback !== undefined) filled[field.name] = fallback
      else if (!field.optional)
        throw new Error(
          `${place} is required, but record ${record.id} has no value: give every record a value`,
        )
    }
    return filled
  }
}

const isText = (value: unknown) => typeof value === 'string'
const matches = (pattern: RegExp) => (value: unknown) =>
  isText(value) && pattern.test(String(value))

/** The checks of stored values. */
const typeChecks: Record<FieldType, (value: unknown) => boolean> = {
  string: isText,
  text: isText,
  email: isText,
  uuid: isText,
  enum: isText,
  json: isText,
  date: matches(/^\d{4}-\d\d-\d\d$/),
  decimal: matches(/^-?\d+(\.\d+)?$/),
  int: Number.isSafeInteger,
  uint: Number.isSafeInteger,
  float: (value) => Number.isFinite(Number(value)),
  bool: (value) => typeof value === 'boolean',
  datetime: matches(/^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+Z$/),
}

function defaultOf({ default: value }: Field): unknown {
  if (typeof value !== 'object') return value
  const now = new Date()
  return value.now === 'date' ? now.toISOString().slice(0, 10) : now
}

import type { AnyBulkWriteOperation, Document, Collection as MongoCollection } from 'mongodb'
import { foldText } from '../domain/fold-text.js'
import { type Field, type FieldType, searchName } from './collection.js'
import { hasOrderKey, orderKeysOf } from './order-keys.js'

/**
 * Updates the records to the fields: sets the defaults of new fields, and derived values such as the order keys of
 * decimals that lists newly compare. `previous` holds the fields as of the app's last start, by name. Throws if a
 * record lacks a required value or has a value of another type.
 */
export async function fillFields(
  records: MongoCollection,
  fields: readonly Field[],
  previous: Readonly<Record<string, Field>>,
): Promise<void> {
  for (const field of fields) {
    const before = previous[field.name]
    if (!before || before.type !== field.type) await assertType(records, field)
    if (!before || (before.optional && !field.optional)) await fill(records, field)
    if (field.search && !before?.search) await deriveFrom(records, field, foldedText)
    if (hasOrderKey(field) && !(before && hasOrderKey(before)))
      await deriveFrom(records, field, orderKeysOf)
  }
}

/** The conditions that stored values of a type meet. */
const typeConditions: Record<FieldType, Document> = {
  string: { $type: 'string' },
  text: { $type: 'string' },
  email: { $type: 'string' },
  uuid: { $type: 'string' },
  enum: { $type: 'string' },
  json: { $type: 'string' },
  date: { $regex: '^\\d{4}-\\d\\d-\\d\\d$' },
  decimal: { $regex: '^-?\\d+(\\.\\d+)?$' },
  int: { $type: 'int' },
  uint: { $type: 'int' },
  float: { $type: 'number' },
  bool: { $type: 'bool' },
  datetime: { $type: 'date' },
}

async function assertType(records: MongoCollection, { name, type }: Field): Promise<void> {
  const wrong = await records.findOne({ [name]: { $exists: true, $not: typeConditions[type] } })
  if (!wrong) return
  const place = `${records.collectionName}.${name}`
  throw new Error(
    `${place} of record ${wrong._id} is not of type ${type}: convert the stored values`,
  )
}

async function fill(records: MongoCollection, field: Field): Promise<void> {
  const missing = { [field.name]: { $exists: false } }
  const value = defaultOf(field)
  if (value !== undefined) {
    const filled = { [field.name]: value }
    const derived = {
      ...(field.search && foldedText([field], filled)),
      ...orderKeysOf([field], filled),
    }
    await records.updateMany(missing, { $set: { ...filled, ...derived } })
    return
  }
  const record = field.optional ? null : await records.findOne(missing)
  if (!record) return
  const place = `${records.collectionName}.${field.name}`
  throw new Error(
    `${place} is required, but record ${record._id} has no value: give every record a value`,
  )
}

function defaultOf({ type, default: value }: Field): unknown {
  if (typeof value === 'object') {
    const now = new Date()
    return value.now === 'date' ? now.toISOString().slice(0, 10) : now
  }
  return type === 'datetime' && value !== undefined ? new Date(String(value)) : value
}

const batchSize = 500

type Derivation = (fields: readonly Field[], record: Document) => Document

const foldedText: Derivation = (fields, record) =>
  Object.fromEntries(
    fields.map((field) => [searchName(field), foldText(String(record[field.name] ?? ''))]),
  )

/** Sets values that are derived from a field. */
async function deriveFrom(
  records: MongoCollection,
  field: Field,
  derive: Derivation,
): Promise<void> {
  const { name } = field
  let batch: AnyBulkWriteOperation[] = []
  const flush = async () => {
    if (batch.length > 0) await records.bulkWrite(batch)
    batch = []
  }
  // Updates all records: if the field had derived values earlier, they may be stale.
  for await (const { _id, [name]: value = null } of records.find().project({ [name]: 1 })) {
    // The filter skips a record whose value has changed since: the other write also derives the values.
    const update = { $set: derive([field], { [name]: value }) }
    batch.push({ updateOne: { filter: { _id, [name]: value }, update } })
    if (batch.length === batchSize) await flush()
  }
  await flush()
}

import { foldText } from '../domain/fold-text.js'
import { type Collection, type Field, type FieldType, searchName } from './collection.js'
import { comparedName, comparedValue, hasOrderKey } from './mapping.js'
import { toSearchText } from './search-text.js'
import type { Fields } from './writes.js'

/**
 * Creates the function that updates an older record: it adds the defaults of new fields, and derived values such as
 * the order keys of newly compared fields. The function returns undefined for a record that needs no
 * change, and throws if the record lacks a required value or has a value of another type.
 */
export function createFiller(
  name: string,
  { fields }: Collection,
  before: Collection | undefined,
): (record: Fields) => Fields | undefined {
  const known = new Map(Object.values(before?.fields ?? {}).map((field) => [field.name, field]))
  const changed = Object.values(fields).filter((field) => !isSame(field, known.get(field.name)))

  function fill(record: Fields, field: Field): Fields {
    const old = known.get(field.name)
    const place = `${name}.${field.name}`
    const value = record[field.name] ?? undefined
    if (value !== undefined && old?.type !== field.type && !isOf(field.type, value)) {
      throw new Error(
        `${place} of record ${record.id} is not of type ${field.type}: convert the stored values`,
      )
    }
    const needsDefault = !old || (old.optional && !field.optional)
    const filled = value ?? (needsDefault ? defaultOf(field) : undefined)
    if (filled === undefined && !field.optional) {
      throw new Error(
        `${place} is required, but record ${record.id} has no value: give every record a value`,
      )
    }
    const words = field.search && {
      [searchName(field)]: toSearchText(foldText(String(filled ?? ''))),
    }
    const given = filled !== undefined && { [field.name]: filled }
    const key = given &&
      hasOrderKey(field) && { [comparedName(field)]: comparedValue(field, filled) }
    return { ...record, ...given, ...words, ...key }
  }

  return (record) => {
    const filled = changed.reduce(fill, record)
    const isFilled = Object.entries(filled).some(([key, value]) => record[key] !== value)
    return isFilled ? filled : undefined
  }
}

function isSame(field: Field, old: Field | undefined): boolean {
  if (old?.type !== field.type || old.optional !== field.optional) return false
  return old.search === field.search && hasOrderKey(old) === hasOrderKey(field)
}

const day = /^\d{4}-\d\d-\d\d$/
const number = /^-?\d+(\.\d+)?$/

function isOf(type: FieldType, value: unknown): boolean {
  if (type === 'int' || type === 'uint') return Number.isInteger(value)
  if (type === 'float') return typeof value === 'number'
  if (type === 'bool') return typeof value === 'boolean'
  if (typeof value !== 'string') return false
  if (type === 'date') return day.test(value)
  if (type === 'decimal') return number.test(value)
  return type !== 'datetime' || !Number.isNaN(Date.parse(value))
}

function defaultOf({ type, default: value }: Field): unknown {
  if (typeof value === 'object') {
    const now = new Date().toISOString()
    return value.now === 'date' ? now.slice(0, 10) : now
  }
  return type === 'datetime' && value !== undefined ? new Date(String(value)).toISOString() : value
}

import type { CopiedCollection, CopiedField } from '../../../../generator/copy/collections.ts'
import type { CopiedRecord } from '../../../../generator/copy/copied-record.ts'
import { stamps } from './opened-store.ts'

/** A record with the names and types of the project's code, whose lists are ids. */
export type AppRecord = Readonly<Record<string, unknown>>

/** Converts a record of the project's code to the form of the wire. */
export function toCopied({ fields, many }: CopiedCollection, record: AppRecord): CopiedRecord {
  return {
    id: Number(record.id),
    ...Object.fromEntries(fields.map((field) => [field.name, toWire(field, record[field.camel])])),
    ...Object.fromEntries(many.map(({ name, camel }) => [name, sortedIds(record[camel])])),
    ...Object.fromEntries(
      Object.entries(stamps).map(([name, camel]) => [name, toTime(record[camel])]),
    ),
  }
}

/**
 * Converts values of the wire to the types of the project's code. Leaves out the fields that `values` lacks. Days stay
 * text, and lists are ids.
 */
export function fromCopied(
  { fields, many }: CopiedCollection,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = [
    ...fields.map((field) => [field.name, field.camel, field.type === 'datetime'] as const),
    ...many.map(({ name, camel }) => [name, camel, false] as const),
    ...Object.entries(stamps).map(([name, camel]) => [name, camel, true] as const),
  ]
  return Object.fromEntries(
    names
      .filter(([name]) => name in values)
      .map(([name, camel, isTime]) => {
        const value = values[name]
        return [camel, isTime && typeof value === 'string' ? new Date(value) : value]
      }),
  )
}

function toWire({ type, scale = 0 }: CopiedField, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'datetime':
      return toTime(value)
    case 'date':
      return value instanceof Date ? value.toISOString().slice(0, 10) : value
    case 'decimal':
      return hasToFixed(value) ? value.toFixed(scale) : value
    default:
      return value
  }
}

function toTime(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** Decimals of Prisma are objects with all their digits. */
function hasToFixed(value: unknown): value is { toFixed(scale: number): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value
}

function sortedIds(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number).sort((a, b) => a - b) : []
}

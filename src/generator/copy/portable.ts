import type { StoreKind } from '../model/store-kinds.ts'
import type { CopiedCollection, CopiedField } from './collections.ts'
import type { CopiedRecord } from './copied-record.ts'

/** A value that the new store can't hold. */
export interface Fault {
  readonly field: string
  readonly reason: string
}

/** Lists the values of a record that a store of the kind can't hold. The app itself accepts none of them. */
export function faultsOf(
  { fields }: CopiedCollection,
  record: CopiedRecord,
  kind: StoreKind,
): readonly Fault[] {
  const faults = fields.flatMap((field) => {
    const reason = reasonOf(field, record[field.name] ?? null, kind)
    return reason === undefined ? [] : [{ field: field.name, reason }]
  })
  if (kind === 'dynamodb' && bytesOf(record) > maxItemBytes)
    faults.push({ field: 'record', reason: 'has more than 400 KB' })
  return faults
}

/** The kinds whose tables check foreign keys. */
export const relationalKinds: ReadonlySet<StoreKind> = new Set([
  'sqlite',
  'postgres',
  'mysql',
  'sqlserver',
])

/** The kinds whose columns limit the length of a text. */
const limitsTexts: ReadonlySet<StoreKind> = new Set(['postgres', 'mysql', 'sqlserver'])
const refusesNul: ReadonlySet<StoreKind> = new Set(['postgres', 'postgres-json'])

/** MariaDB reads at most 31 nested arrays. */
const maxJsonDepth = 30

/** The emitted store for DynamoDB refuses greater items. */
const maxItemBytes = 400_000

function reasonOf(field: CopiedField, value: unknown, kind: StoreKind): string | undefined {
  if (value === null) return field.optional ? undefined : 'is null, but required'
  switch (field.type) {
    case 'int':
      return isInteger(value, -(2 ** 31)) ? undefined : 'is no integer of 32 bits'
    case 'uint':
      return isInteger(value, 0) ? undefined : 'is no integer from 0 to 2147483647'
    case 'float':
      return Number.isFinite(value) ? undefined : 'is no finite number'
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false'
    case 'decimal':
      return decimalReason(field, value, kind)
    case 'date':
    case 'datetime':
      return /^(?!0000)\d{4}-/.test(String(value)) ? undefined : 'is not in the years 1 to 9999'
    case 'json':
      return jsonReason(value, kind)
    default:
      return textReason(value, kind) ?? lengthReason(field, String(value), kind)
  }
}

function isInteger(value: unknown, min: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) < 2 ** 31
}

function decimalReason(
  { precision = 38, scale = 0 }: CopiedField,
  value: unknown,
  kind: StoreKind,
): string | undefined {
  const text = String(value)
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') return 'is no number'
  if (whole.replace(/^0+/, '').length > precision - scale || fraction.length > scale)
    return `has more digits than decimal(${precision},${scale})`
  // SQLite keeps decimals as doubles.
  if (kind === 'sqlite' && !isSameDecimal(text, scale)) return 'has more digits than sqlite keeps'
  return undefined
}

function isSameDecimal(text: string, scale: number): boolean {
  const [whole = '', fraction = ''] = text.split('.')
  const number = Number(text)
  // `toFixed` writes large numbers with an exponent.
  if (Math.abs(number) >= 1e21) return false
  const padded = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return number.toFixed(scale) === padded || number === 0
}

function jsonReason(value: unknown, kind: StoreKind): string | undefined {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxJsonDepth) return `has more than ${maxJsonDepth} nested levels`
    for (const each of level) {
      const reason = typeof each === 'string' ? textReason(each, kind) : undefined
      if (reason !== undefined) return reason
    }
    const objects = level.filter((each) => typeof each === 'object' && each !== null)
    level = objects.flatMap((each) =>
      Array.isArray(each) ? each : Object.entries(each as object).flat(),
    )
  }
  return undefined
}

function textReason(value: unknown, kind: StoreKind): string | undefined {
  if (typeof value !== 'string') return 'is no text'
  if (!value.isWellFormed()) return 'is no well-formed Unicode'
  return refusesNul.has(kind) && value.includes('\0') ? 'contains a NUL character' : undefined
}

function lengthReason(
  { longest }: CopiedField,
  value: string,
  kind: StoreKind,
): string | undefined {
  if (longest === undefined || !limitsTexts.has(kind)) return undefined
  // SQL Server counts UTF-16 units, the others count characters.
  const length = kind === 'sqlserver' ? value.length : [...value].length
  return length > longest ? `has ${length} characters, more than ${longest}` : undefined
}

/** Returns the size of an item as DynamoDB counts it, or a few bytes more. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return 21
  if (typeof value !== 'object' || value === null) return 1
  const parts = Array.isArray(value) ? value : Object.entries(value).flat()
  return parts.reduce((sum: number, part) => sum + 1 + bytesOf(part), 3)
}

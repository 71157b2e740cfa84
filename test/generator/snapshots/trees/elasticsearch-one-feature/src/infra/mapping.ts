import type { estypes } from '@elastic/elasticsearch'
import { type Collection, type Field, type FieldType, searchName } from './collection.js'
import { decimalKey } from './order-key.js'

type Properties = Record<string, estypes.MappingProperty>

/** The field with the mark of a removal in progress. No field of the app begins with an underscore. */
export const markName = '_removing'

/** A stored text without an index, which has no limit of length. */
const text = { type: 'text', index: false } as const

const types: Readonly<
  Record<FieldType, { type: 'text' | 'integer' | 'double' | 'boolean' | 'date' }>
> = {
  string: text,
  text,
  email: text,
  uuid: text,
  enum: text,
  date: text,
  decimal: text,
  json: text,
  int: { type: 'integer' },
  uint: { type: 'integer' },
  float: { type: 'double' },
  bool: { type: 'boolean' },
  datetime: { type: 'date' },
}

/** A text that lists compare, in the order of its UTF-8 bytes, which is the order of code points. */
const compared = { type: 'keyword' } as const

/** The search text: words of one character (search-text.ts). */
const searched = { type: 'text', analyzer: 'whitespace', norms: false } as const

export function propertiesOf({ fields, many = [] }: Collection): Properties {
  const all = Object.values(fields)
  return {
    id: { type: 'integer' },
    ...Object.fromEntries(all.map((field) => [field.name, types[field.type]])),
    ...Object.fromEntries(all.filter(hasOrderKey).map((field) => [comparedName(field), compared])),
    ...Object.fromEntries(
      all.filter(({ search }) => search).map((field) => [searchName(field), searched]),
    ),
    ...Object.fromEntries(many.map(({ name }) => [name, { type: 'integer' }])),
    created_at: { type: 'date' },
    updated_at: { type: 'date' },
    [markName]: text,
  }
}

/** Returns whether lists compare the field, and its own property has no index: it then has an order key. */
export function hasOrderKey({ type, filter, range, sort }: Field): boolean {
  return types[type] === text && (filter || range || sort || false)
}

/** Returns the property that is compared in place of a field. */
export function comparedName(field: Field): string {
  return hasOrderKey(field) ? `_${field.name}_order` : field.name
}

/** Returns the value that is compared in place of a field's value. */
export function comparedValue({ type }: Field, value: unknown): unknown {
  return type === 'decimal' && value !== null ? decimalKey(String(value)) : value
}

/** Indexes of the app beside the collections: the last ids, and the owners of unique values. */
export const ownIndexes = {
  _counters: {},
  _unique: { owner: { type: 'integer', index: false }, settled: { type: 'boolean', index: false } },
} satisfies Record<string, Properties>

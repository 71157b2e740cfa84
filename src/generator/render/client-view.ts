import type { FieldKind } from '../model/field-kinds.ts'
import type { Feature, Field } from '../model/model.ts'
import type { Forward } from '../model/relations.ts'
import { literal } from './literal.ts'
import type { Relations } from './relation-view.ts'

/** Template data: the JSON types of one feature in the typed client. */
export interface ClientView {
  /** Members of a create; optional names end in `?`. */
  clientBody: readonly Member[]
  clientReply: readonly Member[]
}

interface Member {
  name: string
  type: string
}

export function clientView({ fields }: Feature, { forward, many, owner }: Relations): ClientView {
  const summaryOf = (field: Field) => forward.filter((key) => key.field === field).map(summary)
  return {
    clientBody: [
      ...fields
        .filter((field) => field !== owner?.field)
        .map((field) => ({
          name: field.optional || field.default ? `${field.name}?` : field.name,
          type: nullable(field, bodyTypes[field.type.kind] ?? jsonType(field)),
        })),
      ...many.map(({ field, key }) => ({
        name: `${field.name}?`,
        type: key === 'slug' ? '(string | { slug: string })[]' : '(number | { id: number })[]',
      })),
    ],
    clientReply: [
      { name: 'id', type: 'number' },
      ...fields.flatMap((field) => [
        { name: field.name, type: nullable(field, jsonType(field)) },
        ...summaryOf(field),
      ]),
      ...many.map(({ field, target }) => ({
        name: field.name,
        type: `${target.entity.pascal}Api['reply'][]`,
      })),
      { name: 'created_at', type: 'string' },
      { name: 'updated_at', type: 'string' },
    ],
  }
}

/** Types of fields in responses. */
const jsonTypes: Readonly<Record<Exclude<FieldKind, 'enum'>, string>> = {
  string: 'string',
  text: 'string',
  int: 'number',
  uint: 'number',
  bool: 'boolean',
  float: 'number',
  decimal: 'string',
  date: 'string',
  datetime: 'string',
  uuid: 'string',
  json: 'unknown',
  email: 'string',
}

/** Types of fields in bodies that accept more than a response contains. */
const bodyTypes: Partial<Record<FieldKind, string>> = { decimal: 'string | number' }

function jsonType({ type }: Field): string {
  return type.kind === 'enum' ? type.values.map(literal).join(' | ') : jsonTypes[type.kind]
}

function nullable({ optional }: Field, type: string): string {
  return optional && type !== 'unknown' ? `${type} | null` : type
}

function summary({ name, field, label }: Forward): Member {
  const members = label ? `id: number; ${label.name}: string` : 'id: number'
  return { name, type: nullable(field, `{ ${members} }`) }
}

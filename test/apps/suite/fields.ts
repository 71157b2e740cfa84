import assert from 'node:assert/strict'
import { objectOf } from './answers.ts'

/** One field that a body may set. */
export interface FieldRule {
  readonly name: string
  readonly kind: FieldKind
  /** A create may omit the field. */
  readonly optional?: true
}

/** `reference`: the id of another record; `slugs`: records named by their slugs, read as objects. */
export type FieldKind = 'string' | 'email' | 'int' | 'bool' | 'slug' | 'reference' | 'slugs'

const wrongEverywhere: readonly unknown[] = [null, true, false, [], ['x'], {}, { $gt: '' }]

/** Values of the wrong type or out of range, for each kind of field. */
export const wrongValues: Readonly<Record<FieldKind, readonly unknown[]>> = {
  string: [...wrongEverywhere, 0, 1, 1.5],
  email: [...wrongEverywhere, 0, 1],
  int: [...wrongEverywhere, '1', '', 'x', '0x1', 1.5, -0.5, 1e21, '٣'],
  bool: [null, 0, 1, '', 'true', 'false', 'yes', [], [true], {}, { $gt: '' }],
  slug: [...wrongEverywhere, 0, 1],
  reference: [...wrongEverywhere, '1', '', 'x', 0, -1, 1.5],
  slugs: [null, true, 0, '', 'x', {}, { 0: 'x', length: 1 }],
}

/** Returns the names of the required fields of a create. */
export function requiredNames(fields: readonly FieldRule[]): readonly string[] {
  return fields.filter(({ optional }) => optional !== true).map(({ name }) => name)
}

/** Converts the value of a field from a response to its form in a body. */
export function asSent({ kind, name }: FieldRule, value: unknown): unknown {
  if (kind !== 'slugs') return value
  assert.ok(Array.isArray(value), `${name} is no array: ${JSON.stringify(value)}`)
  return value.map((each: unknown) => objectOf(each, name).slug)
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldKinds } from '../model/field-kinds.ts'
import { fieldName } from '../model/field-name.ts'
import type { DefaultValue, Field, FieldType } from '../model/model.ts'
import { parseFieldArgs, parseFieldList } from './field-list.ts'
import { printField } from './print-field.ts'

describe('a printed field', () => {
  test.each([
    ['firstName : string', 'first_name:string'],
    ['a:int:max=9:default=3:index:optional', 'a:int:optional:index:default=3:max=9'],
    ['a:decimal(10,2):min=0.5:default=7', 'a:decimal(10,2):default=7.00:min=0.5'],
    ['a:decimal(9,8):min=0.00000015', 'a:decimal(9,8):min=0.00000015'],
    ['a:decimal(4,2):default=-00.10', 'a:decimal(4,2):default=-0.10'],
    ['a:decimal(4,2):default=-0', 'a:decimal(4,2):default=0.00'],
    ['a:float:default=1e21', 'a:float:default=1e+21'],
    ['a:float:min=-0', 'a:float:min=0'],
    ['a:enum(x | y):default=y', 'a:enum(x|y):default=y'],
    ['a:string:default=x y', 'a:string:default="x y"'],
    ['a:string:default=""', 'a:string:default=""'],
    ['a:date:default=now', 'a:date:default=now'],
    [
      'a:datetime:default="2026-01-31T12:00+01:00"',
      'a:datetime:default="2026-01-31T11:00:00.000Z"',
    ],
    [
      'a:uuid:default=0190F6D6-7A3C-7CC0-B0D5-6A4BB3A3A1C4',
      'a:uuid:default=0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c4',
    ],
    ['a:json:default="{ \\"a\\": [1, 2] }"', 'a:json:default="{\\"a\\":[1,2]}"'],
    ['a:email:default=a@example.com', 'a:email:default=a@example.com'],
  ])('parsed from %s is %s', (text, printed) => {
    const [field] = parseFieldArgs([text]).fields
    expect(field && printField(field)).toBe(printed)
  })

  test('is parsed to the same field, alone and in a list', () => {
    fc.assert(
      fc.property(anyField(), (field) => {
        const text = printField(field)
        expect(parseFieldArgs([text]).fields).toEqual([field])
        expect(parseFieldList(`${text}, zz_other:int`).fields[0]).toEqual(field)
        expect(text).not.toMatch(/\n(?!.*")/)
      }),
      { numRuns: 1000 },
    )
  })
})

function anyField(): fc.Arbitrary<Field> {
  return fc.constantFrom(...fieldKinds).chain((kind) =>
    fc.record({ name: anyName(), optional: fc.boolean(), rest: rests[kind] }).map((parts) => ({
      ...fieldName(parts.name),
      unique: false,
      index: false,
      ...parts.rest,
      optional: parts.optional,
    })),
  )
}

type Rest = Pick<Field, 'type'> &
  Partial<Pick<Field, 'unique' | 'index' | 'default' | 'min' | 'max'>>

const words = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(_[a-z0-9]{1,4}){0,2}$/)

function anyName(): fc.Arbitrary<string> {
  return words.filter((name) => !['id', 'created_at', 'updated_at', 'constructor'].includes(name))
}

const rests: Readonly<Record<Field['type']['kind'], fc.Arbitrary<Rest>>> = {
  string: fc.oneof(
    keyed({ kind: 'string' }),
    bounded({ kind: 'string' }, fc.integer({ min: 1, max: 65_535 })),
    literal({ kind: 'string' }, anyText(), (value) => ({ max: Math.max(1, value.length) })),
  ),
  text: fc.oneof(
    bounded({ kind: 'text' }, fc.integer({ min: 1, max: 1_000_000 })),
    literal({ kind: 'text' }, anyText()),
  ),
  int: numbers({ kind: 'int' }, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  uint: numbers({ kind: 'uint' }, fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  float: numbers(
    { kind: 'float' },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  bool: literal({ kind: 'bool' }, fc.boolean()),
  decimal: anyDecimal(),
  date: fc.oneof(keyed({ kind: 'date' }), now({ kind: 'date' }), literal({ kind: 'date' }, days())),
  datetime: fc.oneof(
    keyed({ kind: 'datetime' }),
    now({ kind: 'datetime' }),
    literal({ kind: 'datetime' }, instants()),
  ),
  uuid: literal({ kind: 'uuid' }, fc.uuid()),
  json: literal(
    { kind: 'json' },
    fc
      .jsonValue()
      .map((value) => JSON.stringify(value))
      .filter((text) => text !== 'null' && !text.includes('__proto__')),
  ),
  email: literal({ kind: 'email' }, fc.constantFrom('a@example.com', 'a.b+c@x-y.example.org')),
  enum: fc
    .uniqueArray(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,5}$/), {
      minLength: 1,
      selector: (value) => value.toLowerCase(),
    })
    .chain((values) => literal({ kind: 'enum', values }, fc.constantFrom(...values))),
}

function keyed(type: FieldType): fc.Arbitrary<Rest> {
  return fc.record({ type: fc.constant(type), unique: fc.boolean(), index: fc.boolean() })
}

function now(type: FieldType): fc.Arbitrary<Rest> {
  return fc.constant({ type, default: { kind: 'now' } satisfies DefaultValue })
}

function literal<T extends string | number | boolean>(
  type: FieldType,
  values: fc.Arbitrary<T>,
  more: (value: T) => Partial<Rest> = () => ({}),
): fc.Arbitrary<Rest> {
  return values.map((value) => ({ type, default: { kind: 'literal', value }, ...more(value) }))
}

function bounded(type: FieldType, values: fc.Arbitrary<number>): fc.Arbitrary<Rest> {
  return fc
    .tuple(values, values)
    .map(([a, b]) => ({ type, min: Math.min(a, b), max: Math.max(a, b) }))
}

function numbers(type: FieldType, values: fc.Arbitrary<number>): fc.Arbitrary<Rest> {
  return fc.oneof(keyed(type), bounded(type, values), literal(type, values))
}

function anyDecimal(): fc.Arbitrary<Rest> {
  return fc
    .integer({ min: 1, max: 38 })
    .chain((precision) =>
      fc.record({ precision: fc.constant(precision), scale: fc.nat({ max: precision }) }),
    )
    .chain(({ precision, scale }) => {
      const type: FieldType = { kind: 'decimal', precision, scale }
      const units = (digits: number) =>
        fc.bigInt({ min: 1n - 10n ** BigInt(digits), max: 10n ** BigInt(digits) - 1n })
      const wire = units(precision).map((value) => wireOf(value, scale))
      const bound = units(Math.min(precision, 15)).map((value) => Number(wireOf(value, scale)) + 0)
      return fc.oneof(literal(type, wire), bounded(type, bound))
    })
}

function wireOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - scale),
    digits.slice(digits.length - scale),
  ]
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`
}

function anyText(): fc.Arbitrary<string> {
  return fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter((text) => text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text))
}

function instants(): fc.Arbitrary<string> {
  const [min, max] = [new Date('1000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
  return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
}

function days(): fc.Arbitrary<string> {
  return instants().map((instant) => instant.slice(0, 10))
}

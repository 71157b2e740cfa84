import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field } from '../model/model.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { badSample, sample } from './sample.ts'

const numbers = Array.from({ length: 99 }, (_, i) => i + 1)

test.each([
  'a:string',
  'a:string:max=1',
  'a:string:max=5',
  'a:string:min=200',
  'a:string:min=3:max=3',
  `${'x'.repeat(60)}:string:max=20`,
  'a:text:min=1000',
  'a:text:max=4',
])('sample gives the field %s distinct texts within its lengths', (text) => {
  const field = fieldOf(text)
  const values = samplesOf(field).map(String)
  expect(new Set(values).size).toBe(values.length)
  for (const { length } of values) {
    expect(length).toBeGreaterThanOrEqual(field.min ?? 1)
    expect(length).toBeLessThanOrEqual(field.max ?? (field.type.kind === 'text' ? 1e6 : 255))
  }
})

test('sample gives number fields values within their bounds, distinct if the bounds have room', () => {
  const bounds = { min: fc.integer({ min: -9999, max: 9999 }), room: fc.nat(500) }
  const kind = fc.constantFrom('int', 'float', 'decimal(6,2)')
  fc.assert(
    fc.property(kind, fc.record(bounds), (type, { min, room }) => {
      for (const limits of [`min=${min}:max=${min + room}`, `min=${min}`, `max=${min}`]) {
        if (type.startsWith('decimal') && min + room > 9999) continue
        const field = fieldOf(`a:${type}:${limits}`)
        const values = samplesOf(field).map(Number)
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(field.min ?? Number.NEGATIVE_INFINITY)
          expect(value).toBeLessThanOrEqual(field.max ?? Number.POSITIVE_INFINITY)
          if (type === 'int') expect(Number.isInteger(value)).toBe(true)
        }
        if (room >= 100) expect(new Set(values).size).toBe(values.length)
      }
    }),
  )
})

test('sample gives decimals their exact scale and at most their precision', () => {
  for (const [precision, scale] of [
    [1, 0],
    [1, 1],
    [3, 3],
    [10, 2],
    [38, 38],
    [38, 0],
  ] as const) {
    const [whole, fraction] = [Math.max(precision - scale, 1), scale]
    const shape = new RegExp(`^-?\\d{1,${whole}}${fraction ? `\\.\\d{${fraction}}` : ''}$`)
    for (const value of samplesOf(fieldOf(`a:decimal(${precision},${scale})`))) {
      expect(value).toMatch(shape)
    }
  }
})

test.each([
  ['a:uint', 1],
  ['a:bool', false],
  ['a:date', '2020-01-01'],
  ['a:datetime', '2020-01-01T00:00:00.000Z'],
  ['a:uuid', '00000000-0000-4000-8000-000000000001'],
  ['a:email', 'a1@example.com'],
  ['a:json', { n: 1 }],
  ['a:enum(x|y)', 'x'],
])('sample gives the field %s the first value %j', (text, first) => {
  expect(samplesOf(fieldOf(text))[0]).toEqual(first)
})

test('badSample has a value for every kind except optional JSON', () => {
  const lists = 'a:string,a:int,a:uint,a:bool,a:float,a:date,a:datetime,a:uuid,a:email,a:enum(x)'
  for (const text of [...lists.split(','), 'a:decimal(4,2)', 'a:json']) {
    expect(badSample(fieldOf(text)), text).not.toBe('')
  }
  expect(badSample(fieldOf('a:json:optional'))).toBe('')
})

function fieldOf(text: string): Field {
  const [field] = parseFieldArgs([text]).fields
  if (field === undefined) throw new Error(`expected a field: ${text}`)
  return field
}

/** Evaluates the expression for each number that tests use. */
function samplesOf(field: Field): unknown[] {
  const values: unknown = runInThisContext(`(numbers) => numbers.map((n) => (${sample(field)}))`)
  if (typeof values !== 'function') throw new Error('expected a function')
  return values(numbers)
}

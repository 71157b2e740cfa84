import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { printValue } from '../spec/field-value.ts'
import { type FieldView, fieldView } from './field-view.ts'

test.each([
  ['title:string', 'text({ min: 1, max: 255 })'],
  ['title:string:optional', 'text({ max: 255 }).nullable()'],
  ['title:string:default=x', 'text({ max: 255 })'],
  ['title:string:min=0', 'text({ max: 255 })'],
  ['title:string:min=2:max=9', 'text({ min: 2, max: 9 })'],
  ['body:text', 'text({ min: 1 })'],
  ['body:text:optional', 'text().nullable()'],
  ['n:int', 'integer()'],
  ['n:int:min=0:max=5', 'integer({ min: 0, max: 5 })'],
  ['n:uint:max=5', 'unsigned({ max: 5 })'],
  ['n:float:min=-0.5', 'float({ min: -0.5 })'],
  ['n:decimal(8,2):min=0', 'decimal({ precision: 8, scale: 2, min: 0 })'],
  ['b:bool', 'z.boolean()'],
  ['b:bool:optional', 'z.boolean().nullable()'],
  ['d:date', 'date()'],
  ['d:datetime', 'dateTime()'],
  ['u:uuid', 'uuid()'],
  ['j:json', 'json()'],
  ['m:email', 'email()'],
  ['m:email:unique', 'email().toLowerCase()'],
  ['state:enum(a|b)', 'z.enum(postStateValues)'],
])('the field %s is parsed by %s', (text, zod) => {
  expect(viewOf(text).zod).toBe(zod)
})

test.each([
  ['a:string', 'string', 'post.a'],
  ['a:int:optional', 'number | null', 'post.a'],
  ['first_name:text', 'string', 'post.firstName'],
  ['a:decimal(4,2)', 'string', 'post.a'],
  ['a:date', 'string', 'post.a'],
  ['a:datetime', 'Date', 'post.a.toISOString()'],
  ['a:datetime:optional', 'Date | null', 'post.a?.toISOString() ?? null'],
  ['a:json', 'unknown', 'post.a'],
  ['state:enum(a|b)', '(typeof postStateValues)[number]', 'post.state'],
])('the field %s has type %s and is sent as %s', (text, tsType, wire) => {
  expect(viewOf(text)).toMatchObject({ tsType, wire })
})

describe('zodDefault', () => {
  test.each([
    ['a:int', ''],
    ['a:int:optional', '.default(null)'],
    ['a:int:default=0', '.default(0)'],
    ['a:int:optional:default=7', '.default(7)'],
    ['a:bool:default=false', '.default(false)'],
    ["a:string:default=it's", ".default('it\\'s')"],
    ['a:decimal(4,2):default=1.5', ".default('1.50')"],
    ['a:date:default=2026-01-31', ".default('2026-01-31')"],
    ['a:datetime:default="2026-01-31T12:00:00Z"', ".default(new Date('2026-01-31T12:00:00.000Z'))"],
    ['a:datetime:default=now', '.optional().transform((value) => value ?? new Date())'],
  ])('of the field %s is %j', (text, zodDefault) => {
    expect(viewOf(text).zodDefault).toBe(zodDefault)
  })

  test('of a JSON field evaluates to its default', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), (text) => {
        if (text === 'null' || text.includes('__proto__')) return
        expect(defaultOf(text)).toEqual(JSON.parse(text))
      }),
    )
  })
})

function viewOf(text: string): FieldView {
  const { fields } = parseFieldArgs([text])
  const feature = createFeature({ entity: entityNames('Post'), fields })
  const [view] = fields.map((field) => fieldView(field, feature, 'post'))
  if (view === undefined) throw new Error(`expected a field: ${text}`)
  return view
}

function defaultOf(json: string): unknown {
  const { zodDefault } = viewOf(`a:json:default=${printValue(json)}`)
  return runInThisContext(zodDefault.replace('.default', ''))
}

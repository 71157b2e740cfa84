import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { collectionsOf } from './collections.ts'
import { faultsOf } from './portable.ts'

const fields = [
  ...['name:string:max=5:optional', 'note:text:optional', 'mail:email:optional'],
  ...['amount:int:optional', 'count:uint:optional', 'rate:float:optional'],
  ...['price:decimal(20,4):optional', 'day:date:optional', 'seen:datetime:optional'],
  ...['extra:json:optional', 'live:bool'],
]

const record = { id: 1, live: true }

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

test.each<[StoreKind, string, unknown, string]>([
  ['postgres', 'name', '123456', 'has 6 characters, more than 5'],
  ['mysql', 'mail', `${'a'.repeat(250)}@b.cd`, 'has 255 characters, more than 254'],
  ['postgres', 'note', 'a\0', 'contains a NUL character'],
  ['postgres-json', 'extra', { a: ['\0'] }, 'contains a NUL character'],
  ['mongodb', 'note', '\ud800', 'is no well-formed Unicode'],
  ['mysql', 'extra', nested(31), 'has more than 30 nested levels'],
  ['dynamodb', 'amount', 2 ** 31, 'is no integer of 32 bits'],
  ['elasticsearch', 'amount', 0.5, 'is no integer of 32 bits'],
  ['sqlite', 'count', -1, 'is no integer from 0 to 2147483647'],
  ['mysql', 'rate', Number.POSITIVE_INFINITY, 'is no finite number'],
  ['postgres', 'price', '12345678901234567.0000', 'has more digits than decimal(20,4)'],
  ['mongodb', 'price', '1.00001', 'has more digits than decimal(20,4)'],
  ['sqlite', 'price', '1234567890123456.0001', 'has more digits than sqlite keeps'],
  ['mysql', 'day', '0000-01-01', 'is not in the years 1 to 9999'],
  ['postgres', 'seen', '+010000-01-01T00:00:00.000Z', 'is not in the years 1 to 9999'],
  ['postgres', 'live', null, 'is null, but required'],
])('%s holds no %s %j', (kind, field, value, reason) => {
  expect(faultsIn(kind, { [field]: value })).toEqual([{ field, reason }])
})

test.each<[StoreKind, object]>([
  ['postgres', { name: '😀😀😀😀😀' }],
  ['mongodb', { name: '123456', note: 'a\0' }],
  ['mysql', { extra: nested(30), amount: -(2 ** 31), count: 2 ** 31 - 1, rate: -1e308 }],
  ['sqlite', { price: '123456789.0001' }],
  ['sqlite', { price: '-0.0001' }],
  ['postgres', { price: '1234567890123456.0001', day: '0001-01-01' }],
  ['dynamodb', { extra: null, seen: '9999-12-31T23:59:59.999Z', note: '' }],
])('%s holds %j', (kind, values) => {
  expect(faultsIn(kind, values)).toEqual([])
})

test('DynamoDB holds records of at most 400 KB', () => {
  const note = 'a'.repeat(400_000)
  expect(faultsIn('dynamodb', { note })).toEqual([
    { field: 'record', reason: 'has more than 400 KB' },
  ])
  expect(faultsIn('mongodb', { note })).toEqual([])
})

function faultsIn(kind: StoreKind, values: object) {
  const [collection] = collectionsOf(modelOf('sqlite', { Item: fields.join(',') }))
  if (!collection) throw new Error('the model has no collection')
  return faultsOf(collection, { ...record, ...values }, kind)
}

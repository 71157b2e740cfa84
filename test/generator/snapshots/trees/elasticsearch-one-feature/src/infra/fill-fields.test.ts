import { expect, test } from 'vitest'
import type { Collection } from './collection.js'
import { createFiller } from './fill-fields.js'

const name = { name: 'name', type: 'string' } as const
const before: Collection = { words: 'user', fields: { name } }

function fillerWith(fields: Collection['fields'], known = before) {
  return createFiller('users', { words: 'user', fields: { name, ...fields } }, known)
}

test('a filler leaves a complete record unchanged', () => {
  expect(fillerWith({})({ id: 1, name: 'Ada' })).toBeUndefined()
  expect(
    fillerWith({ age: { name: 'age', type: 'int', optional: true } })({ id: 1, name: 'Ada' }),
  ).toBeUndefined()
})

test('a filler sets the default of a new field, and keeps an existing value', () => {
  const fill = fillerWith({ age: { name: 'age', type: 'int', default: 7 } })
  expect(fill({ id: 1, name: 'Ada' })).toEqual({ id: 1, name: 'Ada', age: 7 })
  expect(fill({ id: 1, name: 'Ada', age: 8 })).toBeUndefined()
})

test('a filler adds the order key of a newly compared field', () => {
  const sortable = fillerWith({ name: { ...name, sort: true } })
  expect(sortable({ id: 1, name: 'Ada' })).toEqual({ id: 1, name: 'Ada', _name_order: 'Ada' })
  const price = { name: 'price', type: 'decimal', scale: 2 } as const
  const known: Collection = { words: 'user', fields: { name, price } }
  const fill = fillerWith({ price: { ...price, range: true } }, known)
  expect(fill({ id: 1, name: 'Ada', price: '-1.5' })).toMatchObject({
    price: '-1.5',
    _price_order: '!988.4~',
  })
})

test('a filler refuses a missing required value and a value of another type, with the id of the record', () => {
  const required = fillerWith({ age: { name: 'age', type: 'int' } })
  expect(() => required({ id: 1, name: 'Ada' })).toThrow(
    'users.age is required, but record 1 has no value',
  )
  const day = fillerWith({ name: { ...name, type: 'date' } })
  expect(() => day({ id: 1, name: 'Ada' })).toThrow('users.name of record 1 is not of type date')
  expect(day({ id: 1, name: '2020-01-31' })).toBeUndefined()
})

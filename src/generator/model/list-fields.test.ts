import { expect, test } from 'vitest'
import { parseFieldArgs } from '../spec/field-list.ts'
import { createFeature, createModel, withFeature } from './build.ts'
import { enumFiltersOf, filterFieldsOf, rangeFieldsOf, sortFieldsOf } from './list-fields.ts'
import type { Field } from './model.ts'
import { entityNames } from './names.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: true })

const names = (fields: readonly Field[]) => fields.map(({ name }) => name)

test('lists filter by every bool, foreign key and enum, and by ranges of numbers, dates and times', () => {
  const { model, feature } = item(
    'live:bool owner_id:uint:fk(User) state:enum(a|b) size:int count:uint price:decimal(4,2) near:float day:date at:datetime name:string code:uuid',
  )
  expect(names(filterFieldsOf(feature))).toEqual(['live', 'owner_id'])
  expect(names(enumFiltersOf(model, feature))).toEqual(['state'])
  expect(names(rangeFieldsOf(model, feature))).toEqual([
    'size',
    'count',
    'price',
    'near',
    'day',
    'at',
  ])
})

test('lists sort by fields with an index', () => {
  const { feature } = item(
    'a:string b:string:index c:email:unique d:bool e:bool:index f_id:uint:fk(User)',
  )
  expect(names(sortFieldsOf(feature))).toEqual(['b', 'c', 'e', 'f_id'])
})

test('a field named like a parameter, or like the filter of a relation, does not filter', () => {
  const { model, feature } = item('sort:int cursor:bool after:datetime user:int users:many(User)')
  expect(names(filterFieldsOf(feature))).toEqual([])
  expect(names(rangeFieldsOf(model, feature))).toEqual([])
})

function item(fields: string) {
  const feature = createFeature({
    entity: entityNames('Item'),
    ...parseFieldArgs(fields.split(' ')),
  })
  return { model: withFeature(shop, feature), feature }
}

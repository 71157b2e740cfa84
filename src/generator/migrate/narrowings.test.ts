import { expect, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { narrowings } from './narrowings.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })

function between(before: string, after: string): readonly string[] {
  const model = (field: string) =>
    withFeature(shop, createFeature({ entity: entityNames('Post'), ...parseFieldArgs([field]) }))
  return narrowings(model(before), model(after))
}

test.each([
  ['a:enum(x|y)', 'a:enum(x|z)', 'posts.a no longer allows y: rows beyond that stay as they are'],
  [
    'a:string',
    'a:string:max=9',
    'posts.a is at most 9 characters long, not 255: rows beyond that stay as they are',
  ],
  [
    'a:decimal(5,2)',
    'a:decimal(4,2)',
    'posts.a is a decimal(4,2) from now on: rows beyond that stay as they are',
  ],
])('%s to %s is said to narrow', (before, after, sentence) => {
  expect(between(before, after)).toEqual([sentence])
})

test.each([
  ['a:enum(x|y)', 'a:enum(y|x|z)'],
  ['a:string:max=9', 'a:string'],
  ['a:decimal(4,2)', 'a:decimal(5,2)'],
  ['a:int', 'a:text'],
  ['a:int', 'b:int'],
])('%s to %s is not', (before, after) => {
  expect(between(before, after)).toEqual([])
})

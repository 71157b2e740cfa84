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
  [
    'a:enum(x|y)',
    'a:enum(x|z)',
    'posts.a no longer allows y: stored values outside this rule stay unchanged',
  ],
  [
    'a:string',
    'a:string:max=9',
    'posts.a allows at most 9 characters, not 255: stored values outside this rule stay unchanged',
  ],
  [
    'a:decimal(5,2)',
    'a:decimal(4,2)',
    'posts.a becomes decimal(4,2): stored values outside this rule stay unchanged',
  ],
])('a change from %s to %s reports a narrower rule', (before, after, sentence) => {
  expect(between(before, after)).toEqual([sentence])
})

test.each([
  ['a:enum(x|y)', 'a:enum(y|x|z)'],
  ['a:string:max=9', 'a:string'],
  ['a:decimal(4,2)', 'a:decimal(5,2)'],
  ['a:int', 'a:text'],
  ['a:int', 'b:int'],
])('a change from %s to %s reports no narrower rule', (before, after) => {
  expect(between(before, after)).toEqual([])
})

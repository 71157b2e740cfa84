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
  ...(
    [
      ['a:text', 'a:string', 'allows at most 255 characters'],
      ['a:text', 'a:text:max=9', 'allows at most 9 characters'],
      ['a:string', 'a:string:min=3', 'needs at least 3 characters'],
      ['a:string', 'a:email', 'allows only email addresses'],
      ['a:enum(x|y)', 'a:email', 'allows only email addresses'],
      ['a:string', 'a:enum(x|y)', 'allows only x, y'],
      ['a:int', 'a:uint', 'allows no value below 0'],
      ['a:int', 'a:int:min=5', 'allows no value below 5'],
      ['a:int:max=9', 'a:int:max=8', 'allows at most 8, not 9'],
      ['a:float', 'a:float:max=8', 'allows at most 8'],
      ['a:decimal(5,2)', 'a:decimal(5,2):min=1', 'allows no value below 1'],
      ['a:string', 'a:string:optional:max=9', 'allows at most 9 characters, not 255'],
    ] as const
  ).map(([before, after, words]): [string, string, string] => [
    before,
    after,
    `posts.a ${words}: stored values outside this rule stay unchanged`,
  ]),
])('a change from %s to %s reports a narrower rule', (before, after, sentence) => {
  expect(between(before, after)).toEqual([sentence])
})

test.each([
  ['a:enum(x|y)', 'a:enum(y|x|z)'],
  ['a:string:max=9', 'a:string'],
  ['a:decimal(4,2)', 'a:decimal(5,2)'],
  ['a:int', 'a:text'],
  ['a:int', 'b:int'],
  ['a:text:max=9', 'a:string:max=9'],
  ['a:int:min=0', 'a:uint'],
  ['a:uint', 'a:int'],
  ['a:int:max=8', 'a:int:max=9'],
  ['a:int', 'a:float'],
  ['a:email', 'a:string'],
  ['a:enum(x|y)', 'a:string:max=1'],
])('a change from %s to %s reports no narrower rule', (before, after) => {
  expect(between(before, after)).toEqual([])
})

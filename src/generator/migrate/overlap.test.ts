import { expect, test } from 'vitest'
import { modelOf, searched } from '../../../test/support/generator/migrate/migrate.ts'
import { overlapFaults } from './overlap.ts'

test.each<[string, string]>([
  ['a:int', 'a:int,b:int:optional'],
  ['a:int', 'a:int,b:int:default=0'],
  ['a:string:max=50', 'a:string:max=80'],
  ['a:uint', 'a:int'],
  ['a:enum(x|y)', 'a:enum(x|y|z)'],
])('versions before and after a change from %s to %s run at once', (before, after) => {
  expect(faultsOf(before, after)).toEqual([])
})

test.each<[string, string, string]>([
  ['a:int,b:int', 'a:int', 'posts.b is dropped: the previous version uses it'],
  ['a:int', 'a:int,b:int', 'posts.b is required: the previous version does not write it'],
  [
    'a:int:optional',
    'a:int:default=0',
    'posts.a becomes required: the previous version writes records without it',
  ],
  [
    'a:int',
    'a:int:optional',
    "posts.a becomes optional: the previous version can't read records without it",
  ],
  ['a:int', 'a:string', 'posts.a changes its type: the previous version expects int'],
  [
    'a:string:max=50',
    'a:string:max=9',
    'posts.a: the previous version writes values outside the new rule',
  ],
])(
  'versions before and after a change from %s to %s do not run at once',
  (before, after, fault) => {
    expect(faultsOf(before, after)).toEqual([fault])
  },
)

test('a retained column lets the previous version run', () => {
  const [before, after] = ['a:int,b:int:default=0', 'a:int'].map((fields) =>
    modelOf('postgres', { Post: fields }),
  )
  if (!before || !after) throw new Error('no models')
  expect(overlapFaults({ before, after, database: before }, true)).toEqual([])
})

test('a search that is new does not find the texts of the previous version', () => {
  const before = modelOf('postgres', { Post: 'a:string' })
  const after = searched(before, { Post: ['a'] })
  expect(overlapFaults({ before, after, database: after }, true)).toEqual([
    'posts.a is searched: the search does not find the texts that the previous version writes',
  ])
})

test('a search that ends drops a column that the previous version writes', () => {
  const after = modelOf('postgres', { Post: 'a:string' })
  const before = searched(after, { Post: ['a'] })
  expect(overlapFaults({ before, after, database: after }, true)).toEqual([
    'posts.a is no longer searched: the previous version writes the column of the search',
  ])
})

test('a document store needs a default in records that the previous version writes', () => {
  const [before, after] = ['a:int', 'a:int,b:int:default=0'].map((fields) =>
    modelOf('mongodb', { Post: fields }),
  )
  if (!before || !after) throw new Error('no models')
  expect(overlapFaults({ before, after, database: after }, false)).toEqual([
    'posts.b is required: the previous version does not write it',
  ])
})

test('a dropped and a renamed table stop the previous version', () => {
  const before = modelOf('postgres', { Post: 'a:int' })
  const none = { ...before, features: [] }
  expect(overlapFaults({ before, after: none, database: none }, true)).toEqual([
    'posts is dropped: the previous version uses it',
  ])
})

function faultsOf(from: string, to: string): readonly string[] {
  const [before, after] = [from, to].map((fields) => modelOf('postgres', { Post: fields }))
  if (!before || !after) throw new Error('no models')
  return overlapFaults({ before, after, database: after }, true)
}

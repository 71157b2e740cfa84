import { expect, test } from 'vitest'
import { modelOf, searched } from '../../../test/support/generator/migrate/migrate.ts'
import { migrate } from './migrate.ts'

test.each<[string, string]>([
  ['title:string', 'title:string,views:int:optional'],
  ['title:string', 'title:string,views:int:default=0'],
  ['title:string', 'title:string:optional'],
  ['title:string:optional', 'title:string:default=none'],
  ['title:string', 'title:string:default=none'],
  ['title:string:unique', 'title:string'],
  ['title:string', 'title:string:index'],
  ['title:string:max=50', 'title:string:max=80'],
  ['title:string', 'title:text'],
  ['state:enum(a|b)', 'state:string'],
  ['rank:int', 'rank:uint'],
  ['rank:uint', 'rank:float'],
  ['price:decimal(8,2)', 'price:decimal(10,2)'],
  ['title:string', 'title:string,code:uuid:optional:unique'],
  ['rank:int', 'rank:text'],
  ['rank:int', 'rank:string'],
  ['day:date', 'day:datetime'],
  ['title:text:max=50', 'title:string:max=50'],
])('a change from %s to %s reports no loss', (from, to) => {
  expect(lossesOf(from, to)).toEqual([])
})

test.each<[string, string, readonly string[]]>([
  ['a:int,b:int', 'a:int', ['posts.b is dropped with its values']],
  [
    'a:int',
    'a:int,b:int',
    ['posts.b is required and has no default: the migration fails if posts has rows'],
  ],
  [
    'a:int:optional',
    'a:int',
    ['posts.a becomes required: the migration fails if a row has no value'],
  ],
  [
    'a:string',
    'a:int',
    [
      'posts.a changes from string of 255 to int: its values are lost, and the migration fails if posts has rows',
    ],
  ],
  [
    'a:string',
    'a:int:optional',
    ['posts.a changes from string of 255 to int: its values are lost'],
  ],
  [
    'a:int',
    'a:string:max=9',
    [
      'posts.a changes from int to string of 9: its values become text, and the migration fails if one is too long',
    ],
  ],
  [
    'a:float',
    'a:int',
    [
      'posts.a changes from float to int: its values are rounded, and the migration fails if one is too large',
    ],
  ],
  ['a:datetime', 'a:date', ['posts.a changes from datetime to date: the time of day is lost']],
  [
    'a:string',
    'a:string:max=50',
    [
      'posts.a changes from string of 255 to string of 50: the migration fails if a value is longer',
    ],
  ],
  [
    'a:string',
    'a:string:unique',
    ['posts.a is unique: the migration fails if two rows would have the same value'],
  ],
  [
    'a:decimal(8,2):unique',
    'a:decimal(8,1):unique',
    [
      'posts.a changes from decimal(8,2) to decimal(8,1): its values are rounded, and the migration fails if one is too large',
      'posts.a is unique: the migration fails if two rows would have the same value',
    ],
  ],
])('a change from %s to %s reports its losses', (from, to, sentences) => {
  expect(lossesOf(from, to)).toEqual(sentences)
})

test('removing a feature reports the loss of its rows', () => {
  const before = modelOf('postgres', { Post: 'a:int', Tag: 'a:int' })
  expect(migrate(before, modelOf('postgres', { Post: 'a:int' }))?.destructive).toEqual([
    'table tags is dropped with all its rows',
  ])
})

test('a shorter string changes no SQLite table, because SQLite texts have no length', () => {
  const before = modelOf('sqlite', { Post: 'a:string' })
  expect(migrate(before, modelOf('sqlite', { Post: 'a:string:max=50' }))).toBe(undefined)
})

function lossesOf(from: string, to: string): readonly string[] {
  const migration = migrate(modelOf('postgres', { Post: from }), modelOf('postgres', { Post: to }))
  return migration?.destructive ?? []
}

test.each([
  ['x_id:uint:optional:fk(Tag)', 'x_id:uint:optional:fk(Tag):cascade'],
  ['x_id:uint:fk(Tag)', 'x_id:uint:optional:fk(Tag)'],
  ['x_id:uint:fk(Tag)', 'x_id:uint'],
  ['a:int', 'a:int,x_id:uint:optional:fk(Tag)'],
  ['a:int', 'a:int,tags:many(Tag)'],
])('a change from the relation %s to %s reports no loss', (from, to) => {
  expect(relationLosses(from, to)).toEqual([])
})

test.each<[string, string, readonly string[]]>([
  [
    'a:int',
    'a:int,x_id:uint:fk(Tag)',
    ['posts.x_id is required and has no default: the migration fails if posts has rows'],
  ],
  [
    'x_id:uint:optional:fk(Tag)',
    'x_id:uint:fk(Tag)',
    ['posts.x_id becomes required: the migration fails if a row has no value'],
  ],
  [
    'x_id:uint:fk(Tag)',
    'x_id:uint:fk(User)',
    ['posts.x_id now refers to users: the migration fails if a value is not an id of users'],
  ],
  [
    'x_id:uint',
    'x_id:uint:fk(Tag)',
    ['posts.x_id now refers to tags: the migration fails if a value is not an id of tags'],
  ],
  [
    'x_id:string:optional',
    'x_id:uint:optional:fk(Tag)',
    ['posts.x_id changes from string of 255 to uint: its values are lost'],
  ],
  [
    'x_id:uint:fk(Tag)',
    'x_id:uint:fk(Tag):unique',
    ['posts.x_id is unique: the migration fails if two rows would have the same value'],
  ],
  ['a:int,tags:many(Tag)', 'a:int', ['the relation posts_tags is dropped with all its links']],
  [
    'a:int,tags:many(Tag)',
    'a:int,tags:many(User)',
    [
      'a link of posts_tags now refers to users: the migration fails if a value is not an id of users',
    ],
  ],
])('a change from the relation %s to %s reports its losses', (from, to, sentences) => {
  expect(relationLosses(from, to)).toEqual(sentences)
})

test.each([
  [
    'a:int,b:int',
    ['posts is unique by a + b: the migration fails if two rows have the same values'],
  ],
  [
    'a:int,b:int,c:int:optional',
    ['posts is unique by a + b: the migration fails if two rows have the same values'],
  ],
])('a unique group over the fields %s reports its loss', (fields, sentences) => {
  const before = modelOf('postgres', { Post: 'a:int,b:int' })
  expect(migrate(before, grouped(fields, ['a', 'b']))?.destructive).toEqual(sentences)
})

test('a unique group is no loss if it is known, or if one of its fields is new and NULL', () => {
  const fields = 'a:int,b:int,c:int:optional'
  const before = modelOf('postgres', { Post: 'a:int,b:int' })
  expect(migrate(before, grouped(fields, ['a', 'c']))?.destructive).toEqual([])
  expect(
    migrate(grouped(fields, ['a', 'b']), grouped(`${fields},d:int:optional`, ['a', 'b']))
      ?.destructive,
  ).toEqual([])
})

test('a unique group over rounded values reports its loss', () => {
  const sentences = migrate(
    grouped('a:int,b:decimal(8,2)', ['a', 'b']),
    grouped('a:int,b:decimal(8,1)', ['a', 'b']),
  )
  expect(sentences?.destructive).toContain(
    'posts is unique by a + b: the migration fails if two rows have the same values',
  )
})

test('a foreign key that MySQL drops temporarily is not a loss', () => {
  const model = (fields: string) => modelOf('mysql', { Post: fields, Tag: 'a:int' })
  const migration = migrate(model('x_id:uint:fk(Tag):unique'), model('x_id:uint:fk(Tag)'))
  expect(migration?.destructive).toEqual([])
})

test('adding or removing a search is not a loss', () => {
  const plain = modelOf('postgres', { Post: 'title:string' })
  const withSearch = searched(plain, { Post: ['title'] })
  expect(migrate(plain, withSearch)?.destructive).toEqual([])
  expect(migrate(withSearch, plain)?.destructive).toEqual([])
})

function relationLosses(from: string, to: string): readonly string[] {
  const model = (fields: string) =>
    modelOf('postgres', { Post: fields, Tag: 'a:int', User: 'a:int' })
  return migrate(model(from), model(to))?.destructive ?? []
}

function grouped(fields: string, group: readonly string[]) {
  const model = modelOf('postgres', { Post: fields })
  return { ...model, features: model.features.map((each) => ({ ...each, unique: [group] })) }
}

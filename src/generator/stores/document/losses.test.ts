import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { documentLosses } from './losses.ts'

test.each<[string, string]>([
  ['title:string', 'title:string,views:int:optional'],
  ['title:string', 'title:string,views:int:default=0'],
  ['title:string', 'title:string,code:uuid:optional:unique'],
  ['title:string', 'title:string:optional'],
  ['title:string:optional', 'title:string:default=none'],
  ['title:string:unique', 'title:string:index'],
  ['title:string', 'title:text'],
  ['state:enum(a|b)', 'state:string'],
  ['born:date', 'born:text'],
  ['price:decimal(8,2)', 'price:decimal(10,3)'],
  ['rank:int', 'rank:uint'],
  ['rank:int', 'rank:float'],
  ['book_id:uint:fk:optional', 'book_id:uint:optional'],
  ['a:int,books:many(Book)', 'a:int,books:many(Book),name:string:optional'],
])('reports no loss from %s to %s', (from, to) => {
  expect(lossesOf(from, to)).toEqual([])
})

test.each<[string, string, string]>([
  [
    'a:int,b:int',
    'a:int',
    'posts.b is dropped: its values stay in the store, but the app no longer reads them',
  ],
  [
    'a:int,books:many(Book)',
    'a:int',
    'the relation posts.books is dropped: its links stay in the store, but the app no longer reads them',
  ],
  [
    'a:int',
    'a:int,b:int',
    'posts.b is required and has no default: the app refuses to start if a record exists',
  ],
  [
    'a:int:optional',
    'a:int',
    'posts.a becomes required: the app refuses to start if a record has no value',
  ],
  [
    'a:string',
    'a:int',
    'posts.a changes from string to int: the app refuses to start if a record has a value of the old type',
  ],
  [
    'a:float',
    'a:decimal(8,2)',
    'posts.a changes from float to decimal: the app refuses to start if a record has a value of the old type',
  ],
  [
    'a:datetime',
    'a:date',
    'posts.a changes from datetime to date: the app refuses to start if a record has a value of the old type',
  ],
  [
    'a:string',
    'a:email',
    'posts.a changes from string to email: texts that do not fit stay unchanged',
  ],
  [
    'a:text',
    'a:string',
    'posts.a changes from text to string: texts that do not fit stay unchanged',
  ],
  [
    'a:string',
    'a:string:unique',
    'posts.a becomes unique: the app refuses to start if a record has the same value as another',
  ],
  [
    'book_id:uint',
    'book_id:uint:fk',
    'posts.book_id now refers to Book: a record whose value is not an id of Book is no longer shown',
  ],
  [
    'book_id:uint:optional:fk(Post)',
    'book_id:uint:optional:fk',
    'posts.book_id now refers to Book: a record whose value is not an id of Book is shown without it',
  ],
  [
    'a:int,books:many(Book)',
    'a:int,books:many(Post)',
    'the relation posts.books now refers to Post: its links stay, and are read as ids of Post',
  ],
])('reports the change from %s to %s: %s', (from, to, sentence) => {
  expect(lossesOf(from, to)).toEqual([sentence])
})

test('reports every loss of a change', () => {
  expect(lossesOf('a:string:optional,b:int', 'a:int:unique')).toHaveLength(4)
})

test('reports no loss for a new feature', () => {
  const before = modelOf('mongodb', { Book: 'name:string' })
  const after = modelOf('mongodb', { Book: 'name:string', Post: 'title:string' })
  expect(documentLosses(before, after)).toEqual([])
})

function lossesOf(before: string, after: string): readonly string[] {
  const model = (fields: string) => modelOf('mongodb', { Book: 'name:string', Post: fields })
  return documentLosses(model(before), model(after))
}

test('reports a new unique group, unless one of its fields is new and NULL', () => {
  const grouped = (fields: string, group: readonly string[]) => {
    const model = modelOf('mongodb', { Post: fields })
    return { ...model, features: model.features.map((each) => ({ ...each, unique: [group] })) }
  }
  const before = modelOf('mongodb', { Post: 'a:int,b:int' })
  expect(documentLosses(before, grouped('a:int,b:int', ['a', 'b']))).toEqual([
    'posts becomes unique by a + b: the app refuses to start if a record has the same values as another',
  ])
  const known = grouped('a:int,b:int', ['a', 'b'])
  expect(documentLosses(known, grouped('a:int,b:int', ['b', 'a']))).toEqual([])
  expect(documentLosses(before, grouped('a:int,b:int,c:int:optional', ['a', 'c']))).toEqual([])
})

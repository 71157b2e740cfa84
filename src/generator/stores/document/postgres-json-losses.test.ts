import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { documentLosses } from './losses.ts'
import { postgresJsonLosses } from './postgres-json-losses.ts'

test.each([
  ['book_id:uint', 'book_id:uint:fk', 'Book'],
  ['book_id:uint:optional:fk(Post)', 'book_id:uint:optional:fk', 'Book'],
])('reports that a foreign key refuses dangling references: from %s to %s', (from, to, target) => {
  expect(lossesOf(from, to)).toEqual([
    `posts.book_id now refers to ${target}: the app refuses to start if a value is not an id of ${target}`,
  ])
})

test.each([
  ['a:int,b:int', 'a:int'],
  ['rank:string', 'rank:int:unique'],
  ['title:string', 'title:text'],
])('reports the other losses of the document kinds: from %s to %s', (from, to) => {
  expect(lossesOf(from, to)).toEqual(lossesOf(from, to, documentLosses))
})

function lossesOf(before: string, after: string, losses = postgresJsonLosses): readonly string[] {
  const model = (fields: string) => modelOf('postgres-json', { Book: 'name:string', Post: fields })
  return losses(model(before), model(after))
}

import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { documentLosses } from './losses.ts'
import { postgresJsonLosses } from './postgres-json-losses.ts'

test.each([
  ['book_id:uint', 'book_id:uint:fk', 'Book'],
  ['book_id:uint:optional:fk(Post)', 'book_id:uint:optional:fk', 'Book'],
])('a foreign key takes no record that refers to none: from %s to %s', (from, to, target) => {
  expect(lossesOf(from, to)).toEqual([
    `posts.book_id refers to ${target} from now on: the app refuses to start if a record has the id of none`,
  ])
})

test.each([
  ['a:int,b:int', 'a:int'],
  ['rank:string', 'rank:int:unique'],
  ['title:string', 'title:text'],
])('what else is lost is what documents lose: from %s to %s', (from, to) => {
  expect(lossesOf(from, to)).toEqual(lossesOf(from, to, documentLosses))
})

function lossesOf(before: string, after: string, losses = postgresJsonLosses): readonly string[] {
  const model = (fields: string) => modelOf('postgres-json', { Book: 'name:string', Post: fields })
  return losses(model(before), model(after))
}

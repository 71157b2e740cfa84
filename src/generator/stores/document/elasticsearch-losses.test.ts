import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { elasticsearchLosses } from './elasticsearch-losses.ts'

test.each([
  ['rank:int', 'rank:uint'],
  ['code:uuid', 'code:string'],
  ['born:date', 'born:text'],
])('reports no loss for the change from %s to %s', (from, to) => {
  expect(lossesOf(from, to)).toEqual([])
})

test.each([
  ['rank:int', 'rank:float', 'posts.rank changes from int to float'],
  ['rank:string', 'rank:int', 'posts.rank changes from string to int'],
  ['seen:datetime', 'seen:date', 'posts.seen changes from datetime to date'],
])('reports that an index refuses the change from %s to %s', (from, to, change) => {
  const refusal = `${change}: the app refuses to start until its index is replaced`
  expect(lossesOf(from, to)).toEqual([refusal])
})

test('reports the losses of the document kinds', () => {
  expect(lossesOf('a:int,b:int', 'a:int')).toHaveLength(1)
})

function lossesOf(before: string, after: string): readonly string[] {
  const model = (fields: string) => modelOf('elasticsearch', { Post: fields })
  return elasticsearchLosses(model(before), model(after))
}

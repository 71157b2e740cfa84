import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { countRecords, type StoredRecord } from './count-records.ts'
import type { Question } from './question.ts'
import { questionsOf } from './questions.ts'
import { sentenceOf } from './sentences.ts'

const book = 'name:string'

function asked(kind: 'postgres' | 'sqlite' | 'mongodb', before: string, after: string) {
  const model = (fields: string) => modelOf(kind, { Book: book, Post: fields })
  const [from, database] = [model(before), model(after)]
  return questionsOf({ from, database, after: database })
}

/** Answers the only question about records. The last one is number `records.length`. */
async function told(questions: readonly Question[], records: readonly object[]) {
  const rows: StoredRecord[] = records.map((record, at) => ({ id: at + 1, ...record }))
  const store = {
    count: async () => rows.length,
    scan: async function* (table: string) {
      yield table === 'books' ? [{ id: 1 }] : rows
    },
  }
  const answers = await countRecords(store, questions, () => false)
  return questions.map((question, at) =>
    sentenceOf('the change', question, answers[at] ?? { total: 0, count: 0, isComplete: true }),
  )
}

describe('the questions of a change', () => {
  test.each([
    [
      'a:string',
      'a:string:max=2',
      [{ a: 'xyz' }, { a: 'x' }],
      '1 of 2 posts has an a longer than 2 characters: ',
    ],
    [
      'a:float',
      'a:int',
      [{ a: 1.5 }, { a: 2 }],
      '1 of 2 posts has an a that is not a whole number, which is cut',
    ],
    [
      'a:datetime',
      'a:date',
      [{ a: new Date('2020-01-31') }],
      'none of 1 posts has an a with a time of day',
    ],
    [
      'a:decimal(8,3)',
      'a:decimal(8,1)',
      [{ a: '1.500' }, { a: '1.25' }],
      '1 of 2 posts has an a with more digits than decimal(8,1), which is cut',
    ],
    ['a:string', 'a:uuid', [{ a: 'x' }], '1 of 1 posts has an a, which is lost'],
    [
      'a:string:optional',
      'a:string:unique',
      [{ a: 'x' }, { a: 'x' }, { a: null }],
      "2 of 3 posts have the same a as another: the app can't start",
    ],
    [
      'a:email:optional',
      'a:email:optional:unique',
      [{ a: 'X@y.z' }, { a: 'x@y.z' }],
      '2 of 2 posts have the same a as another: ',
    ],
    [
      'book_id:uint',
      'book_id:uint:fk',
      [{ book_id: 1 }, { book_id: 7 }],
      '1 of 2 posts has a book id that is not an id of books: ',
    ],
    ['a:int', 'a:int:min=5', [{ a: 4 }, { a: 5 }], '1 of 2 posts has an a below 5, which stays'],
    [
      'a:enum(x|y)',
      'a:enum(x|z)',
      [{ a: 'x' }, { a: 'y' }],
      '1 of 2 posts has an a other than x, z, which stays',
    ],
    ['a:int', 'a:int,b:int', [{}, {}], '2 posts have no b: '],
    ['a:int', 'a:int,b:int', [], 'no posts exist yet, so none has no b'],
  ])('on postgres, %s to %s', async (before, after, records, sentence) => {
    const sentences = await told(asked('postgres', before, after), records)
    expect(sentences).toContainEqual(expect.stringContaining(sentence))
  })

  test('ask nothing about a change that every value survives', () => {
    expect(asked('postgres', 'a:string:max=5', 'a:string:max=6,b:int:optional')).toEqual([])
  })

  test('ask about a narrower rule alone, if the column keeps its type', () => {
    const effects = asked('sqlite', 'a:string', 'a:string:max=2').map(({ effect }) => effect)
    expect(effects).toEqual(['unchanged'])
  })

  test.each([
    [
      'a:string',
      'a:int',
      [{ a: 'x' }, { a: 3 }],
      '1 of 2 posts has an a that is not a whole number: ',
    ],
    [
      'a:int,books:many(Book)',
      'a:int',
      [{ books: [1, 2] }, { books: [1] }],
      '3 links of posts.books stay in the store, unread',
    ],
    [
      'a:int,b:int',
      'a:int',
      [{ b: 1 }, {}],
      '1 of 2 posts has a b, which stays in the store, unread',
    ],
    ['a:int:optional', 'a:int', [{ a: 1 }, {}], '1 of 2 posts has no a: '],
  ])('on mongodb, %s to %s', async (before, after, records, sentence) => {
    const sentences = await told(asked('mongodb', before, after), records)
    expect(sentences).toContainEqual(expect.stringContaining(sentence))
  })
})

test('an answer that the time limit ended says so', () => {
  const [question] = asked('postgres', 'a:string:optional', 'a:string')
  if (!question) throw new Error('no question')
  const answer = { total: 1000, count: 3, isComplete: false }
  expect(sentenceOf('the change', question, answer)).toContain(
    '3 of the first 1000 posts have no a (the time limit ended the search)',
  )
  expect(sentenceOf('the change', question, { ...answer, total: 0, count: 0 })).toBe(
    'the time limit ended before the records of posts were read',
  )
})

import { expect, test } from 'vitest'
import type { Collection } from './collection.js'
import { changesOf, entriesOf } from './entries.js'

const books: Collection = {
  words: 'book',
  fields: {
    title: { name: 'title', type: 'string', index: true, search: true },
    isbn: { name: 'isbn', type: 'string', optional: true, unique: true },
    isNew: { name: 'is_new', type: 'bool', filter: true },
    authorId: { name: 'author_id', type: 'uint', filter: true },
  },
  references: [{ key: 'authorId', to: 'authors', as: 'author' }],
  many: [{ field: 'tags', name: 'tags', to: 'tags', key: 'id', filter: 'tag' }],
}

const book = {
  id: 17,
  title: 'Émile',
  isbn: '1-2',
  is_new: true,
  author_id: 3,
  tags: [5],
  updated_at: '2020-01-02T00:00:00.000Z',
  created_at: '2020-01-01T00:00:00.000Z',
}

const sortKey = '2020-01-01T00:00:00.000Z#0000000017'

const keysOf = (record: object) =>
  entriesOf('books', books, { ...record }).map(({ key }) => `${key.PK} ${key.SK}`)

test('entriesOf returns index entries for lists, searches, references and unique values', () => {
  expect(keysOf(book)).toEqual([
    `books ${sortKey}`,
    `books/search ${sortKey}`,
    `books/title=Émile ${sortKey}`,
    `books/author_id=3 ${sortKey}`,
    'books/isbn=1-2 -',
  ])
})

test('list entries contain the fields that lists compare, and search entries also the folded texts', () => {
  const [list, search] = entriesOf('books', books, book)
  const { is_new, author_id, tags, updated_at } = book
  expect(list?.attributes).toEqual({ is_new, author_id, tags, updated_at })
  expect(search?.attributes).toEqual({ ...list?.attributes, title_search: 'émile' })
})

test('entriesOf omits missing values and hashes long values', () => {
  const { isbn: _, ...rest } = book
  expect(keysOf(rest).join()).not.toContain('isbn')
  const long = keysOf({ ...book, isbn: 'x'.repeat(3000) }).at(-1) ?? ''
  expect(long).toMatch(/^books\/isbn~[0-9a-f]{64} -$/)
})

test('changesOf writes changed index entries and removes obsolete ones', () => {
  const after = entriesOf('books', books, { ...book, isbn: '3-4' })
  const { removed, put } = changesOf(entriesOf('books', books, book), after)
  expect(removed.map(({ key }) => key.PK)).toEqual(['books/isbn=1-2'])
  expect(put.map(({ key }) => key.PK)).toEqual(['books/isbn=3-4'])

  const moved = changesOf(after, entriesOf('books', books, { ...book, is_new: false }))
  expect(moved.put.map(({ key }) => key.PK)).toEqual(['books', 'books/search', 'books/isbn=1-2'])
})

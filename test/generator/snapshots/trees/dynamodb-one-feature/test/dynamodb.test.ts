import { randomUUID } from 'node:crypto'
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Collection } from '../src/infra/collection.js'
import { fillRecords } from '../src/infra/fill-records.js'
import { searchPartition, valuePartition } from '../src/infra/keys.js'
import { idsIn } from '../src/infra/pages.js'
import { createRecords } from '../src/infra/records.js'
import { openStore } from '../src/infra/store.js'
import { testStores } from './support/stores.js'

const servers = process.env.TEST_DATABASE_URL ? [process.env.TEST_DATABASE_URL] : []

// Without TEST_DATABASE_URL, the report shows this test as skipped.
test.skipIf(servers.length === 0)('the suites also run on the server of TEST_DATABASE_URL', () => {
  expect(testStores.map(({ name }) => name)).toContain('dynamodb')
})

const title = { name: 'title', type: 'string' } as const
const before: Collection = { words: 'book', fields: { title } }

/** Creates a table with three books of the collection `before`. */
async function createBooks(databaseUrl: string) {
  const TableName = `test_${randomUUID()}`
  const store = await openStore(databaseUrl, TableName)
  onTestFinished(async () => {
    await store.client.send(new DeleteTableCommand({ TableName }))
    store.close()
  })
  await fillRecords(store, 'books', before)
  const books = createRecords(store, 'books', before)
  for (const id of [1, 2, 3]) {
    await books.insert({ id, title: `Book ${id}`, created_at: `2020-01-0${id}T00:00:00.000Z` })
  }
  return { store, books }
}

describe.each(servers)('fillRecords', (databaseUrl) => {
  test('sets the default and writes the entries of a new field, in two processes at once', async () => {
    const { store, books } = await createBooks(databaseUrl)
    const shelf = { name: 'shelf', type: 'string', index: true, default: 'new' } as const
    const after = {
      words: 'book',
      fields: { title: { ...title, search: true, unique: true }, shelf },
    } as const
    await Promise.all([1, 2].map(() => fillRecords(store, 'books', after)))
    expect(await books.read([1, 2, 3], ['shelf'])).toEqual(
      [1, 2, 3].map((id) => ({ id, shelf: 'new' })),
    )
    expect(await idsIn(store, valuePartition('books', 'shelf', 'new'))).toEqual([1, 2, 3])
    expect(await idsIn(store, searchPartition('books'))).toEqual([1, 2, 3])
    const twin = { id: 4, title: 'Book 1', shelf: 'new', created_at: '2020-01-04T00:00:00.000Z' }
    const inserting = createRecords(store, 'books', after).insert(twin)
    await expect(inserting).rejects.toMatchObject({ kind: 'conflict' })

    await fillRecords(store, 'books', before)
    expect(await idsIn(store, valuePartition('books', 'shelf', 'new'))).toEqual([])
    expect(await idsIn(store, searchPartition('books'))).toEqual([])
  })

  test.each([
    [
      'a required field without a default',
      { shelf: { name: 'shelf', type: 'string' } },
      /^books.shelf is required/,
    ],
    [
      'another type',
      { title: { name: 'title', type: 'int' } },
      /^books.title of record \d+ is not of type int/,
    ],
  ])('refuses records that do not fit %s', async (_, fields, reason) => {
    const { store } = await createBooks(databaseUrl)
    const after = { words: 'book', fields } as Collection
    await expect(fillRecords(store, 'books', after)).rejects.toThrow(reason)
  })

  test('refuses a shared value of a unique field until one of the records changes', async () => {
    const { store, books } = await createBooks(databaseUrl)
    const rename = (id: number, title: string) =>
      books.change(id, (book) => ({ after: { ...book, title } }))
    await rename(3, 'Book 1')
    const after = { words: 'book', fields: { title: { ...title, unique: true } } } as const
    await expect(fillRecords(store, 'books', after)).rejects.toThrow(
      /^books.title is unique, but the records 1 and 3 share a value/,
    )
    // The refused set-up has written nothing.
    await rename(1, 'Book 4')
    await fillRecords(store, 'books', before)
    await fillRecords(store, 'books', after)
  })
})

import { expect, test } from 'vitest'
import { serve } from '../../test/support/scripted-service.js'
import type { Collection } from './collection.js'
import { createRecords } from './records.js'
import { createKeyedLock } from './semaphore.js'

const books: Collection = {
  words: 'book',
  fields: {
    title: { name: 'title', type: 'string' },
    isbn: { name: 'isbn', type: 'string', unique: true },
  },
}

const stored = (title: string, version: number) => ({
  id: { N: '1' },
  title: { S: title },
  isbn: { S: '1-2' },
  created_at: { S: '2020-01-01T00:00:00.000Z' },
  VERSION: { N: String(version) },
})
const found = (title: string, version: number) => ({
  Responses: { app: [stored(title, version)] },
  UnprocessedKeys: {},
})
const cancelled = (...codes: readonly string[]) => ({
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  CancellationReasons: codes.map((Code) => ({ Code })),
})

async function recordsWith(...answers: readonly object[]) {
  const service = await serve(...answers)
  const store = { ...service, withLock: createKeyedLock(1_000) }
  return { records: createRecords(store, 'books', books), requests: service.requests }
}

const rename = (record: object) => ({ after: { ...record, title: 'New' } })

test('change reads a record again if another write was first', async () => {
  const failed = cancelled('ConditionalCheckFailed')
  const { records, requests } = await recordsWith(found('Old', 1), failed, found('Other', 2), {})
  expect(await records.change(1, rename)).toMatchObject({ after: { title: 'New', isbn: '1-2' } })
  const [{ Put }] = Object(requests[3]).TransactItems
  expect(Put).toMatchObject({
    Item: { PK: { S: 'books#1' }, title: { S: 'New' }, isbn: { S: '1-2' }, VERSION: { N: '3' } },
    ConditionExpression: '#version = :seen',
    ExpressionAttributeValues: { ':seen': { N: '2' } },
  })
})

test('change reads the record after the write if the store commits late', async () => {
  const service = await serve(found('Old', 1), {}, found('New', 2))
  const store = { ...service, withLock: createKeyedLock(1_000), commitsLate: true }
  await createRecords(store, 'books', books).change(1, rename)
  expect(service.requests.slice(1)).toMatchObject([
    { TransactItems: {} },
    { RequestItems: { app: {} } },
  ])
})

test('change throws a conflict with the field of a taken unique value', async () => {
  const failed = cancelled('None', 'None', 'ConditionalCheckFailed')
  const { records } = await recordsWith(found('Old', 1), failed)
  const changing = records.change(1, (record) => ({ after: { ...record, isbn: '3-4' } }))
  await expect(changing).rejects.toMatchObject({
    kind: 'conflict',
    message: 'isbn is already taken',
  })
})

test('change returns undefined for a missing record, and writes nothing', async () => {
  const { records, requests } = await recordsWith({ Responses: { app: [] }, UnprocessedKeys: {} })
  expect(await records.change(1, rename)).toBeUndefined()
  expect(requests).toHaveLength(1)
})

test('insert refuses a record that is too large, with its longest field, and sends nothing', async () => {
  const { records, requests } = await recordsWith({})
  const book = {
    id: 1,
    title: 'x'.repeat(500_000),
    isbn: '1',
    created_at: '2020-01-01T00:00:00.000Z',
  }
  const faults = { kind: 'invalid', details: [{ path: 'title' }] }
  await expect(records.insert(book)).rejects.toMatchObject(faults)
  expect(requests).toEqual([])
})

test('change keeps the mark of a removal in progress', async () => {
  const marked = { ...stored('Old', 7), REMOVING: { S: 'mark' } }
  const { records, requests } = await recordsWith(
    { Responses: { app: [marked] }, UnprocessedKeys: {} },
    {},
  )
  await records.change(1, rename)
  const [{ Put }] = Object(requests[1]).TransactItems
  expect(Put.Item).toMatchObject({ title: { S: 'New' }, REMOVING: { S: 'mark' } })
})

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import { retryOptions, serve } from '../../test/support/scripted-service.js'
import { getItems } from './get-items.js'
import { recordKey } from './keys.js'

const conflict = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
}
const taken = { ...conflict, CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }

const write = new TransactWriteCommand({
  TransactItems: [{ Put: { TableName: 'app', Item: recordKey('posts', 1) } }],
})

test('the client retries a transaction that conflicts with another', async () => {
  const { client, requests } = await serve(conflict, conflict, {})
  await client.send(write)
  expect(requests).toHaveLength(3)
})

test('the client throws unavailable after five retries of a transaction', async () => {
  const { client, requests } = await serve(conflict)
  await expect(client.send(write)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(requests).toHaveLength(6)
})

test('the client does not retry a transaction whose condition fails', async () => {
  const { client, requests } = await serve(taken)
  await expect(client.send(write)).rejects.toMatchObject({ name: 'TransactionCanceledException' })
  expect(requests).toHaveLength(1)
})

test('getItems requests the unprocessed keys of a batch again', async () => {
  const item = (id: number) => ({ app: [{ id: { N: String(id) } }] })
  const Keys = [{ PK: { S: 'posts#2' }, SK: { S: '-' } }]
  const left = { UnprocessedKeys: { app: { Keys } } }
  const first = { Responses: item(1), ...left }
  const last = { Responses: item(2), UnprocessedKeys: {} }
  const store = await serve(first, { Responses: {}, ...left }, last)
  const keys = [recordKey('posts', 1), recordKey('posts', 2)]
  expect(await getItems(store, keys, undefined, retryOptions)).toEqual([{ id: 1 }, { id: 2 }])
  expect(store.requests[2]).toMatchObject({ RequestItems: { app: { Keys, ConsistentRead: true } } })
})

test('getItems throws unavailable if the service never answers a batch', async () => {
  const Keys = [{ PK: { S: 'posts#1' }, SK: { S: '-' } }]
  const store = await serve({ Responses: {}, UnprocessedKeys: { app: { Keys } } })
  const getting = getItems(store, [recordKey('posts', 1)], undefined, retryOptions)
  await expect(getting).rejects.toMatchObject({ kind: 'unavailable' })
})

test('getItems requests more than a hundred keys in batches', async () => {
  const store = await serve({ Responses: {}, UnprocessedKeys: {} })
  const keys = Array.from({ length: 250 }, (_, at) => recordKey('posts', at))
  await getItems(store, keys)
  expect(store.requests).toHaveLength(3)
})

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { AppError } from '../domain/app-error.js'
import type { Item } from './item.js'
import type { Key } from './keys.js'
import { mapConcurrently } from './map-concurrently.js'
import { type RetryOptions, retryIf } from './retry.js'

/** A table, and the client for its requests. */
export interface Table {
  client: DynamoDBDocumentClient
  table: string
}

/** The service's limit of keys in one request, and the number of concurrent requests. */
const batchSize = 100
const maxRequests = 8

/** Returns the items with these keys in any order, with a consistent read. `names` are the attributes to read. */
export async function getItems(
  table: Table,
  keys: readonly Key[],
  names?: readonly string[],
  retryOptions?: RetryOptions,
): Promise<Item[]> {
  const found = await mapConcurrently(maxRequests, batchesOf(keys), (batch) =>
    getBatch(table, batch, names, retryOptions),
  )
  return found.flat()
}

/**
 * Returns the items of a batch. The service may return only some of the items. This function then
 * requests the other items again.
 */
async function getBatch(
  { client, table }: Table,
  batch: readonly Key[],
  names: readonly string[] | undefined,
  retryOptions: RetryOptions | undefined,
): Promise<Item[]> {
  const found: Item[] = []
  let left: readonly Key[] = batch
  const getLeft = async () => {
    const before = left.length
    const request = { Keys: [...left], ConsistentRead: true, ...projectionOf(names) }
    const command = new BatchGetCommand({ RequestItems: { [table]: request } })
    const { Responses, UnprocessedKeys } = await client.send(command)
    found.push(...(Responses?.[table] ?? []))
    left = (UnprocessedKeys?.[table]?.Keys ?? []) as Key[]
    if (left.length === before)
      throw new NothingProcessed('unavailable', 'the store is too busy, try again')
  }
  while (left.length > 0) {
    await retryIf((error) => error instanceof NothingProcessed, getLeft, retryOptions)
  }
  return found
}

/** Thrown if the service returns no item of a batch. */
class NothingProcessed extends AppError {}

function projectionOf(names: readonly string[] | undefined) {
  if (!names) return {}
  return {
    ProjectionExpression: names.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  }
}

function batchesOf(keys: readonly Key[]): Key[][] {
  const count = Math.ceil(keys.length / batchSize)
  return Array.from({ length: count }, (_, at) => keys.slice(at * batchSize, (at + 1) * batchSize))
}

import type { Inspection } from './messages.ts'
import {
  connectionOf,
  loadDriver,
  namesIn,
  type OpenedStore,
  waitingFields,
} from './opened-store.ts'

type Item = Record<string, unknown>

interface Response {
  Item?: Item
  Items?: Item[]
  Count?: number
  LastEvaluatedKey?: Item
  Responses?: Record<string, Item[]>
  UnprocessedKeys?: Record<string, { Keys?: Item[] }>
}

interface Driver {
  DynamoDBDocumentClient: { from(client: unknown): { send(command: object): Promise<Response> } }
  GetCommand: new (input: object) => object
  QueryCommand: new (input: object) => object
  BatchGetCommand: new (input: object) => object
}

/** The service's limit of keys in one request. */
const readSize = 100

/** Opens the table of the URL. A list partition names the records of a collection. */
export async function openDynamodb(inspection: Inspection): Promise<OpenedStore> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { DynamoDBClient } = loadDriver<{ DynamoDBClient: new (options: object) => unknown }>(
    inspection,
    '@aws-sdk/client-dynamodb',
  )
  const commands = loadDriver<Driver>(inspection, '@aws-sdk/lib-dynamodb')
  const { table, ...connection } = await connectionOf<{ table: string }>(inspection)
  const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true }
  const client = commands.DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...connection, maxAttempts: 2, requestHandler: timeouts }),
  )

  /** Yields the pages of a collection's list. */
  async function* list(name: string, options: object): AsyncGenerator<Response> {
    let start: Item | undefined
    do {
      const page = await client.send(
        new commands.QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'PK = :PK',
          ExpressionAttributeValues: { ':PK': name },
          ...options,
          ...(start && { ExclusiveStartKey: start }),
        }),
      )
      yield page
      start = page.LastEvaluatedKey
    } while (start)
  }

  async function read(name: string, ids: readonly number[], columns: readonly string[]) {
    const names = Object.fromEntries(columns.map((each, at) => [`#f${at}`, each]))
    const shown = ['id', ...Object.keys(names)]
    let keys: Item[] = ids.map((id) => ({ PK: `${name}#${id}`, SK: '-' }))
    const found: Item[] = []
    while (keys.length > 0) {
      const request = {
        Keys: keys,
        ConsistentRead: true,
        ProjectionExpression: shown.join(', '),
        ...(columns.length > 0 && { ExpressionAttributeNames: names }),
      }
      const { Responses, UnprocessedKeys } = await client.send(
        new commands.BatchGetCommand({ RequestItems: { [table]: request } }),
      )
      found.push(...(Responses?.[table] ?? []))
      keys = UnprocessedKeys?.[table]?.Keys ?? []
    }
    return found
  }

  return {
    waiting: () =>
      waitingFields(inspection, async (name) => {
        const Key = { PK: `${name}/schema`, SK: '-' }
        const { Item } = await client.send(new commands.GetCommand({ TableName: table, Key }))
        return Item && namesIn(JSON.parse(String(Item.book)).schema)
      }),
    async count(name) {
      let total = 0
      for await (const { Count = 0 } of list(name, { Select: 'COUNT' })) total += Count
      return total
    },
    async *scan(name, columns) {
      for await (const { Items = [] } of list(name, { ProjectionExpression: 'SK' })) {
        // A sort key ends with the id.
        const ids = Items.map(({ SK }) => Number(String(SK).split('#').at(-1)))
        for (let at = 0; at < ids.length; at += readSize)
          yield read(name, ids.slice(at, at + readSize), columns)
      }
    },
  }
}

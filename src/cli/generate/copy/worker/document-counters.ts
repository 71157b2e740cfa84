import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { WorkerSettings } from './messages.ts'
import { importFrom } from './opened-store.ts'

/** The store that the project's `openStore` returns. Its members depend on the kind. */
export interface AnyStore {
  close(): unknown
  readonly [member: string]: unknown
}

/** The greatest ids of the collections, which each kind keeps in its own way. */
export interface Counters {
  lastId(collection: string): Promise<number>
  raiseLastId(collection: string, id: number): Promise<void>
  /** Returns the next existing ids. Undefined if the store can sort by id. */
  idsAfter?(collection: string, after: number, limit: number): Promise<readonly number[]>
}

/** Returns the counters of the kind. Throws for a kind that no copy supports. */
export async function countersOf(settings: WorkerSettings, store: AnyStore): Promise<Counters> {
  switch (settings.kind) {
    case 'mongodb':
      return mongodb(store as unknown as MongoStore)
    case 'postgres-json':
      return postgresJson(store as unknown as PostgresStore)
    case 'elasticsearch':
      return elasticsearch(store as unknown as ElasticStore)
    case 'dynamodb':
      return dynamodb(settings, store as unknown as DynamoStore)
    default:
      throw new Error(`no copy from or to ${settings.kind}`)
  }
}

interface MongoStore {
  db: {
    collection(name: string): {
      findOne(filter: object): Promise<{ last?: number } | null>
      updateOne(filter: object, update: object, options: object): Promise<unknown>
    }
  }
}

function mongodb({ db }: MongoStore): Counters {
  const counters = db.collection('_counters')
  return {
    lastId: async (collection) => (await counters.findOne({ _id: collection }))?.last ?? 0,
    async raiseLastId(collection, id) {
      if (id === 0) return
      await counters.updateOne({ _id: collection }, { $max: { last: id } }, { upsert: true })
    },
  }
}

interface PostgresStore {
  pool: { query(sql: string, values: unknown[]): Promise<{ rows: { last: number | null }[] }> }
  table(name: string): string
}

function postgresJson({ pool, table }: PostgresStore): Counters {
  const sequence = `pg_get_serial_sequence($1, 'id')`
  async function lastId(collection: string): Promise<number> {
    const sql = `SELECT pg_sequence_last_value(${sequence}::regclass)::integer AS last`
    const { rows } = await pool.query(sql, [table(collection)])
    return rows[0]?.last ?? 0
  }
  return {
    lastId,
    async raiseLastId(collection, id) {
      if (id <= (await lastId(collection))) return
      await pool.query(`SELECT setval(${sequence}, $2)::integer AS last`, [table(collection), id])
    },
  }
}

interface ElasticStore {
  client: {
    get(request: object, options: object): Promise<{ statusCode: number | null; body: unknown }>
    index(request: object): Promise<unknown>
  }
  indexOf(name: string): string
}

/** The last id is the version of a document, which each write increments. */
function elasticsearch({ client, indexOf }: ElasticStore): Counters {
  const index = indexOf('_counters')
  async function lastId(collection: string): Promise<number> {
    const { body } = await client.get({ index, id: collection }, { ignore: [404], meta: true })
    return (body as { _version?: number })._version ?? 0
  }
  return {
    lastId,
    async raiseLastId(collection, id) {
      if (id <= (await lastId(collection))) return
      const version = { version: id, version_type: 'external' }
      await client.index({ index, id: collection, document: {}, require_alias: true, ...version })
    },
  }
}

interface DynamoStore {
  client: { send(command: object): Promise<{ Item?: { last?: number } }> }
  table: string
}

interface DynamoCommands {
  GetCommand: new (input: object) => object
  UpdateCommand: new (input: object) => object
}

async function dynamodb({ root }: WorkerSettings, store: DynamoStore): Promise<Counters> {
  const { client, table } = store
  const { counterKey, listPartition } = await importFrom<{
    counterKey: (collection: string) => object
    listPartition: (collection: string) => string
  }>(root, 'src/infra/keys.ts', ['counterKey', 'listPartition'])
  const { idsIn } = await importFrom<{
    idsIn: (table: DynamoStore, partition: string) => Promise<number[]>
  }>(root, 'src/infra/pages.ts', ['idsIn'])
  const load = createRequire(join(root, 'package.json'))
  const { GetCommand, UpdateCommand }: DynamoCommands = load('@aws-sdk/lib-dynamodb')
  const known = new Map<string, number[]>()

  async function lastId(collection: string): Promise<number> {
    const input = { TableName: table, Key: counterKey(collection), ConsistentRead: true }
    const { Item } = await client.send(new GetCommand(input))
    return Number(Item?.last ?? 0)
  }

  return {
    lastId,

    async raiseLastId(collection, id) {
      if (id <= (await lastId(collection))) return
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: counterKey(collection),
          UpdateExpression: 'SET #last = :last',
          ExpressionAttributeNames: { '#last': 'last' },
          ExpressionAttributeValues: { ':last': id },
        }),
      )
    },

    // The entries are sorted by time. One query lists the ids at the start of each pass.
    async idsAfter(collection, after, limit) {
      const listed = after === 0 ? undefined : known.get(collection)
      const ids = listed ?? (await idsIn(store, listPartition(collection))).sort((a, b) => a - b)
      known.set(collection, ids)
      return ids.filter((id) => id > after).slice(0, limit)
    },
  }
}

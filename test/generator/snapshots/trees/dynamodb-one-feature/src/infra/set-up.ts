import {
  CreateTableCommand,
  DescribeTableCommand,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { fillRecords } from './fill-records.js'
import type { Table } from './get-items.js'
import type { RecordTable } from './records.js'
import { schema } from './schema.js'

/**
 * Creates a missing table, and updates the table to src/infra/schema.ts. Idempotent: several
 * processes can run this function at the same time, and the next run completes an interrupted run.
 * Throws if records do not fit the schema.
 */
export async function setUp(table: RecordTable): Promise<void> {
  await openTable(table)
  const collections = Object.entries(schema)
  await Promise.all(collections.map(([name, collection]) => fillRecords(table, name, collection)))
}

const keys: KeySchemaElement[] = [
  { AttributeName: 'PK', KeyType: 'HASH' },
  { AttributeName: 'SK', KeyType: 'RANGE' },
]

/** The time for AWS to create a table, and the pauses between the checks. Seconds. */
const waitOptions = { minDelay: 1, maxDelay: 3, maxWaitTime: 60 }

/** Creates a missing table and waits for it. Throws if a table of that name has other keys. */
async function openTable({ client, table }: Table): Promise<void> {
  let found = await describe({ client, table })
  if (!found) await create({ client, table })
  if (found?.TableStatus !== 'ACTIVE' && found?.TableStatus !== 'UPDATING') {
    await waitUntilTableExists({ client, ...waitOptions }, { TableName: table })
    found = await describe({ client, table })
  }
  const names = (found?.KeySchema ?? []).map(({ AttributeName }) => AttributeName)
  if (names.join() === 'PK,SK') return
  throw new Error(
    `the table ${table} has the keys ${names} instead of PK and SK: use another table`,
  )
}

async function describe({ client, table }: Table): Promise<TableDescription | undefined> {
  try {
    const { Table: found } = await client.send(new DescribeTableCommand({ TableName: table }))
    return found
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}

async function create({ client, table }: Table): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys,
        AttributeDefinitions: keys.map(({ AttributeName }) => ({
          AttributeName,
          AttributeType: 'S',
        })),
      }),
    )
  } catch (error) {
    // Another process has created the table.
    if (!(error instanceof ResourceInUseException)) throw error
  }
}

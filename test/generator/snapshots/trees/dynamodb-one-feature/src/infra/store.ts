import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { AppError } from '../domain/app-error.js'
import { createClient } from './client.js'
import { connectionOf } from './connection.js'
import { isOutage } from './outage.js'
import type { RecordTable } from './records.js'
import { createKeyedLock } from './semaphore.js'
import { setUp } from './set-up.js'
import { StoreError } from './wait-for-store.js'

/** The time to wait for other writes of the same record. */
const lockTimeoutMs = 10_000

export interface Store extends RecordTable {
  ping: () => Promise<unknown>
  close(): void
}

/**
 * Opens the table, or creates a missing one, and updates it to the app's schema. `tableName` overrides the table of
 * the URL. Throws StoreError.
 */
export async function openStore(databaseUrl: string, tableName?: string): Promise<Store> {
  const connection = connectionOf(databaseUrl)
  const client = createClient(connection)
  const table = tableName ?? connection.table
  // A store with its own endpoint can be DynamoDB Local.
  const commitsLate = connection.endpoint !== undefined
  const records = { client, table, commitsLate, withLock: createKeyedLock(lockTimeoutMs) }
  try {
    await setUp(records)
  } catch (error) {
    client.destroy()
    const reason = error instanceof AppError ? (error.cause ?? error) : error
    throw new StoreError(reason, { isStarting: isOutage(reason) })
  }
  const ping = () => client.send(new DescribeTableCommand({ TableName: table }))
  return { ...records, ping, close: () => client.destroy() }
}

import { createClient } from '@libsql/client'

/** Keeps every other process from writing to the database, until what it returns is called. */
export async function holdWrites(url: string): Promise<() => Promise<void>> {
  const client = createClient({ url, timeout: 60_000 })
  const transaction = await client.transaction('write')
  return async () => {
    await transaction.rollback()
    client.close()
  }
}

/** Takes a table away behind the back of who has the database open. */
export async function dropTable(url: string, table: string): Promise<void> {
  const client = createClient({ url, timeout: 5000 })
  await client.execute(`DROP TABLE "${table}"`)
  client.close()
}

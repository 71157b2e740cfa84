import { createClient } from '@libsql/client'

/** Blocks writes of other processes until the returned function is called. */
export async function holdWrites(url: string): Promise<() => Promise<void>> {
  const client = createClient({ url, timeout: 60_000 })
  const transaction = await client.transaction('write')
  return async () => {
    await transaction.rollback()
    client.close()
  }
}

/** Drops a table, also while an application has the database open. */
export async function dropTable(url: string, table: string): Promise<void> {
  const client = createClient({ url, timeout: 5000 })
  await client.execute(`DROP TABLE "${table}"`)
  client.close()
}

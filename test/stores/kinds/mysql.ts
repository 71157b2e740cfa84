import { type Connection, createConnection } from 'mariadb'
import { servers } from '../servers/servers.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** Starts MySQL or MariaDB, for the kind `mysql`. */
export async function startMysql(): Promise<Kind | Skipped> {
  const server = await servers.mysql()
  if ('skipped' in server) return server
  const { url } = server
  return {
    ...serverKind(server, {
      create: (name) => execute(url, `CREATE DATABASE ${name}`),
      remove: (name) => execute(url, `DROP DATABASE ${name}`),
    }),
    contents: (database) => names(database, everything),
    dropTable: (database, table) =>
      execute(database, 'SET SESSION foreign_key_checks = 0', `DROP TABLE \`${table}\``),
  }
}

const everything = `
  SELECT CONCAT('database ', schema_name) AS name FROM information_schema.schemata
  UNION SELECT CONCAT('table ', table_name) FROM information_schema.tables WHERE table_schema = DATABASE()
  ORDER BY 1`

function names(url: string, sql: string): Promise<readonly string[]> {
  return withConnection(url, async (connection) => {
    const rows = await connection.query<{ name: string }[]>(sql)
    return rows.map(({ name }) => name)
  })
}

function execute(url: string, ...statements: readonly string[]): Promise<void> {
  return withConnection(url, async (connection) => {
    for (const sql of statements) await connection.query(sql)
  })
}

async function withConnection<Result>(
  url: string,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await createConnection(url.replace(/^mysql:/, 'mariadb:'))
  try {
    return await use(connection)
  } finally {
    await connection.end()
  }
}

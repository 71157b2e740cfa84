import { withClient } from '../../support/postgres.ts'
import { servers } from '../servers/servers.ts'
import type { Skipped, StartServer } from '../servers/test-server.ts'
import type { Kind, StartKind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** Starts PostgreSQL, for the kind `postgres`. */
export const startPostgres: StartKind = () => startOn(servers.postgres)

/** Starts PostgreSQL for the kind `postgres-json`, which may have a separate server. */
export const startPostgresJson: StartKind = () => startOn(servers['postgres-json'])

async function startOn(startServer: StartServer): Promise<Kind | Skipped> {
  const server = await startServer()
  if ('skipped' in server) return server
  const { url, kill } = server
  const kind = serverKind(server, {
    create: (name) => execute(url, `CREATE DATABASE ${name} TEMPLATE template0`),
    remove: (name) => execute(url, `DROP DATABASE ${name} WITH (FORCE)`),
  })
  return {
    ...kind,
    contents: (database) => names(database, everything),
    dropTable: (database, table) => execute(database, `DROP TABLE "${table}" CASCADE`),
    freeze: kill
      ? (database) =>
          withClient(database, async (client) => {
            await kill('SIGSTOP')
            // PostgreSQL has one process for each connection. A signal to the main process does not
            // reach these processes.
            const { rows } = await client.query<{ pid: number }>(backends)
            for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
            return async () => {
              for (const { pid } of rows) process.kill(pid, 'SIGCONT')
              await kill('SIGCONT')
            }
          })
      : kind.freeze,
  }
}

const everything = `
  SELECT 'database ' || datname AS name FROM pg_database
  UNION SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_'
  UNION SELECT 'table ' || tablename FROM pg_tables WHERE schemaname = 'public'
  UNION SELECT 'role ' || rolname FROM pg_roles ORDER BY 1`

const backends = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`

function names(url: string, sql: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(sql)
    return rows.map(({ name }) => name)
  })
}

async function execute(url: string, sql: string): Promise<void> {
  await withClient(url, (client) => client.query(sql))
}

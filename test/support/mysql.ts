import { type Connection, createConnection } from 'mariadb'
import { findProgram } from '../stores/servers/find-program.ts'
import { startMysql } from '../stores/servers/mysql.ts'
import type { TestServer } from '../stores/servers/test-server.ts'

/** Returns why tests with MariaDB and its client programs can't run here; undefined if they can. */
export function whyNoMysql(): string | undefined {
  const missing = ['mariadb-dump', 'mariadb'].filter((name) => findProgram(name) === undefined)
  if (missing.length > 0) return `${missing.join(' and ')} are not installed`
  if (process.env.TEST_MYSQL_URL) return undefined
  const hasServer = findProgram('mariadbd', ['/usr/sbin']) && findProgram('mariadb-install-db')
  return hasServer ? undefined : 'no MariaDB is installed and TEST_MYSQL_URL is not set'
}

/** A server with an administrator who has the rights of docs/databases.md, and no others. */
export interface MysqlServer {
  /** URL of the administrator for the daemon. */
  readonly url: string
  /** URL of the user who may do everything. */
  readonly rootUrl: string
  stop(): Promise<void>
}

const administrator = 'strata_admin'

/** Starts a server. `grants` are the statements of docs/databases.md that make the administrator. */
export async function startMysqlServer(grants: readonly string[]): Promise<MysqlServer> {
  const server: TestServer = await started()
  const password = 'password-of-the-administrator'
  await withMysql(server.url, async (client) => {
    await client.query(`DROP USER IF EXISTS ${administrator}`)
    await client.query(`CREATE USER ${administrator} IDENTIFIED BY '${password}'`)
    for (const grant of grants) await client.query(grant)
  })
  const url = new URL(server.url)
  url.username = administrator
  url.password = password
  url.pathname = '/'
  return { url: url.href, rootUrl: server.url, stop: () => server.stop() }
}

async function started(): Promise<TestServer> {
  const server = await startMysql()
  if ('skipped' in server) throw new Error(server.skipped)
  return server
}

/** Opens a connection, calls `use` and closes the connection. */
export async function withMysql<Result>(
  url: string,
  use: (client: Connection) => Promise<Result>,
): Promise<Result> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const client = await createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    bigIntAsNumber: true,
    decimalAsNumber: true,
    multipleStatements: true,
  })
  client.on('error', () => {})
  try {
    return await use(client)
  } finally {
    client.destroy()
  }
}

/** Returns the statements of the documentation that give the administrator its rights. */
export function grantsIn(markdown: string): readonly string[] {
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(markdown) ?? []
  return block
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement.startsWith('GRANT'))
}

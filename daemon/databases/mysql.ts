import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Connection } from 'mariadb'
import { redacted } from '../domain/redacted.ts'
import type { DatabaseAccess, DatabaseServer, Redacted, TransferOptions, Walls } from '../ports.ts'
import { dumpOf, type Flavour, loadOf } from './mysql-programs.ts'
import { portableDump, requireWhole } from './mysql-stream.ts'
import { serverFault } from './server-fault.ts'
import { runLoad, startDump } from './transfer.ts'

const connectMs = 10_000
/** DROP DATABASE waits for the statements of connections that end. */
const statementMs = 60_000
/** Two versions of an app run during a deploy, with a pool each, and a person may have a shell. */
const maxConnections = 30
/** An app may reconnect between the list of its connections and their end. */
const endAttempts = 5

/** Without EVENT, whose statements would run while the branch sleeps, and without the global FILE. */
const privileges = [
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'INDEX', 'ALTER', 'REFERENCES'],
  ...['CREATE TEMPORARY TABLES', 'LOCK TABLES', 'CREATE VIEW', 'SHOW VIEW', 'CREATE ROUTINE'],
  ...['ALTER ROUTINE', 'EXECUTE', 'TRIGGER'],
].join(', ')

/** Databases on the MySQL or MariaDB server of an administrator's URL. */
export function createMysqlServer({
  url,
  cells,
  path,
}: {
  url: Redacted
  cells: Pick<Walls, 'cell' | 'end'>
  path: string
}): DatabaseServer {
  const secrets = [url.reveal(), decodeURIComponent(new URL(url.reveal()).password)]

  async function asAdministrator<T>(work: (client: Connection) => Promise<T>): Promise<T> {
    const { createConnection } = await import('mariadb')
    const target = new URL(url.reveal())
    let client: Connection | undefined
    try {
      client = await createConnection({
        host: target.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(target.port || 3306),
        user: decodeURIComponent(target.username),
        password: decodeURIComponent(target.password),
        connectTimeout: connectMs,
        socketTimeout: statementMs,
        allowPublicKeyRetrieval: true,
        // A server could ask for files of the daemon's host.
        permitLocalInfile: false,
        bigIntAsNumber: true,
        // Errors quote the statement otherwise, with the password.
        logParam: false,
        ...(isEncrypted(target) && { ssl: true }),
      })
      // A server that ends fails the statement, too.
      client.on('error', () => {})
      return await work(client)
    } catch (error) {
      throw serverFault(withoutStatement(error), { kind: 'mysql', secrets })
    } finally {
      client?.destroy()
    }
  }

  async function revoke(client: Connection, name: string): Promise<void> {
    await client.query(`ALTER USER IF EXISTS ${account(name)} ACCOUNT LOCK`)
    await endConnections(client, name)
  }

  async function startTransfer(access: DatabaseAccess) {
    const flavour = await asAdministrator(flavourOf)
    const secret = access.password.reveal()
    return { url: new URL(url.reveal()), flavour, path, access, secrets: [...secrets, secret] }
  }

  return {
    kind: 'mysql',

    urlOf({ name, password }) {
      const target = new URL(url.reveal())
      target.protocol = 'mysql:'
      target.username = name
      target.password = password.reveal()
      target.pathname = `/${name}`
      for (const key of ['user', 'password']) target.searchParams.delete(key)
      return redacted(target.href)
    },

    exists: (name) =>
      asAdministrator(async (client) => {
        const rows = await client.query(
          'SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?',
          [name],
        )
        return rows.length > 0
      }),

    create: (access) =>
      asAdministrator(async (client) => {
        const flavour = await flavourOf(client)
        const user = account(access.name)
        const identity = identified(flavour, access.password.reveal())
        const settings = `${identity} WITH MAX_USER_CONNECTIONS ${maxConnections} PASSWORD EXPIRE NEVER`
        await client.query(`CREATE DATABASE IF NOT EXISTS ${access.name} CHARACTER SET utf8mb4`)
        await client.query(`CREATE USER IF NOT EXISTS ${user} ${settings} ACCOUNT LOCK`)
        const database = await grantTarget(client, flavour, access.name)
        await client.query(`GRANT ${privileges} ON ${database}.* TO ${user}`)
        await client.query(`ALTER USER ${user} ${settings} ACCOUNT UNLOCK`)
      }),

    revoke: (name) => asAdministrator((client) => revoke(client, name)),

    drop: (name) =>
      asAdministrator(async (client) => {
        await revoke(client, name)
        await client.query(`DROP DATABASE IF EXISTS ${name}`)
        await client.query(`DROP USER IF EXISTS ${account(name)}`)
      }),

    sizeOf: (name) =>
      asAdministrator(async (client) => {
        const [row] = await client.query(
          `SELECT CAST(SUM(COALESCE(DATA_LENGTH, 0) + COALESCE(INDEX_LENGTH, 0)) AS DOUBLE) AS bytes
           FROM information_schema.SCHEMATA LEFT JOIN information_schema.TABLES ON TABLE_SCHEMA = SCHEMA_NAME
           WHERE SCHEMA_NAME = ?`,
          [name],
        )
        return row === undefined || row.bytes === null ? undefined : Number(row.bytes)
      }),

    async dump(access, options): Promise<Readable> {
      const output = await startDump(cells, dumpOf(await startTransfer(access)), options)
      const portable = portableDump()
      output.once('error', (error) => portable.destroy(error))
      // The program ends with its reader.
      portable.once('close', () => output.destroy())
      return output.pipe(portable)
    },

    async load(access, dump, options: TransferOptions) {
      const transfer = loadOf(await startTransfer(access))
      const whole = requireWhole()
      dump.once('error', (error) => whole.destroy(error))
      whole.once('close', () => dump.destroy())
      await runLoad(cells, transfer, dump.pipe(whole), options)
    },
  }
}

function account(name: string): string {
  return `'${name}'@'%'`
}

/** Returns the server's product: its programs, its syntax for hashes and its pattern rules differ. */
async function flavourOf(client: Connection): Promise<Flavour> {
  const [row] = await client.query('SELECT VERSION() AS version')
  return /mariadb/i.test(String(row?.version)) ? 'mariadb' : 'mysql'
}

/**
 * Returns the clause with the password. MariaDB writes statements into its logs as they are, so it gets a hash, which
 * for 24 random bytes can't be reversed. MySQL removes passwords from its logs, and new versions lack this hash.
 */
function identified(flavour: Flavour, password: string): string {
  const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest()
  return flavour === 'mariadb'
    ? `IDENTIFIED BY PASSWORD '*${sha1(sha1(password)).toString('hex').toUpperCase()}'`
    : `IDENTIFIED BY '${password.replace(/[\\']/g, '\\$&')}'`
}

/** Returns the name for GRANT, where `_` is a wildcard: `st_1_a` would also mean `st_11a`. */
async function grantTarget(client: Connection, flavour: Flavour, name: string): Promise<string> {
  const escaped = `\`${name.replaceAll('_', '\\_')}\``
  if (flavour === 'mariadb') return escaped
  // With this setting MySQL reads the name as it is written.
  const [row] = await client.query("SHOW VARIABLES LIKE 'partial_revokes'")
  return row?.Value === 'ON' ? `\`${name}\`` : escaped
}

/** Ends the connections of a user that can't log in any more. */
async function endConnections(client: Connection, name: string): Promise<void> {
  for (let attempt = 0; attempt < endAttempts; attempt += 1) {
    const rows: { ID: number }[] = await client.query(
      'SELECT ID FROM information_schema.PROCESSLIST WHERE USER = ?',
      [name],
    )
    if (rows.length === 0) return
    for (const { ID } of rows) {
      // The connection may have ended by itself.
      await client.query(`KILL CONNECTION ${Number(ID)}`).catch((error: unknown) => {
        if (!isCode(error, 'ER_NO_SUCH_THREAD')) throw error
      })
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Returns whether the administrator's URL asks for TLS, in the words of the usual drivers. */
function isEncrypted({ searchParams }: URL): boolean {
  return searchParams.get('ssl') === 'true' || searchParams.get('sslaccept') === 'strict'
}

/** Replaces the message of the driver, which has the number of its connection and the statement, by the server's. */
function withoutStatement(error: unknown): unknown {
  if (!(error instanceof Error) || !('sqlMessage' in error)) return error
  const said = typeof error.sqlMessage === 'string' ? error.sqlMessage : undefined
  const code = 'code' in error ? String(error.code) : ''
  return said === undefined ? error : Object.assign(new Error(said), { code })
}

import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { redacted } from '../domain/redacted.ts'
import type { DatabaseAccess, DatabaseServer, Redacted, Walls } from '../ports.ts'
import { findProgram } from './programs.ts'
import { scramVerifier } from './scram-verifier.ts'
import { serverFault } from './server-fault.ts'
import { runLoad, startDump, type TransferProgram } from './transfer.ts'

const connectMs = 10_000
/** CREATE DATABASE writes a checkpoint on older servers, and DROP DATABASE removes the files. */
const statementMs = 60_000
/** Two versions of an app run during a deploy, with a pool each, and a person may have a shell. */
const maxConnections = 30
const debianPackage = 'postgresql-client'

/** Databases on the PostgreSQL server of an administrator's URL. The administrator needs CREATEDB and CREATEROLE. */
export function createPostgresServer({
  url,
  cells,
  path,
}: {
  url: Redacted
  cells: Pick<Walls, 'cell' | 'end'>
  path: string
}): DatabaseServer {
  const secrets = [url.reveal(), decodeURIComponent(new URL(url.reveal()).password)]
  const faultOf = (error: unknown) => serverFault(error, { kind: 'postgres', secrets })

  /** Connects as the administrator: to the database of the URL, or to `database`. */
  async function asAdministrator<T>(
    work: (client: Client) => Promise<T>,
    database?: string,
  ): Promise<T> {
    const { default: pg } = await import('pg')
    const target = new URL(url.reveal())
    if (database !== undefined) target.pathname = `/${database}`
    const client = new pg.Client({
      connectionString: target.href,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      application_name: 'stratad',
    })
    // A server that ends fails the statement, too.
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(client)
    } catch (error) {
      throw faultOf(error)
    } finally {
      // A server that does not answer would keep `end` waiting.
      await Promise.race([client.end().catch(() => {}), after(1_000)])
    }
  }

  async function createRole(client: Client, { name, password }: DatabaseAccess): Promise<void> {
    const verifier = scramVerifier(password.reveal(), randomBytes(16))
    const settings = `LOGIN PASSWORD '${verifier}' CONNECTION LIMIT ${maxConnections}`
    if (await isIn(client, 'pg_roles', 'rolname', name)) {
      await client.query(`ALTER ROLE ${name} ${settings}`)
      return
    }
    await client.query(
      `CREATE ROLE ${name} ${settings} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION`,
    )
    // An administrator who is no superuser ends connections and drops objects as a member.
    await client.query(`GRANT ${name} TO CURRENT_USER`)
  }

  async function createDatabase(client: Client, name: string): Promise<void> {
    if (!(await isIn(client, 'pg_database', 'datname', name))) {
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
    }
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
    await client.query(`GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${name} TO ${name}`)
  }

  function transferOf(
    names: readonly string[],
    args: readonly string[],
    { name, password }: DatabaseAccess,
  ): TransferProgram {
    const { hostname, port, searchParams } = new URL(url.reveal())
    const secret = password.reveal()
    const ssl = searchParams.get('sslmode')
    const root = searchParams.get('sslrootcert')
    return {
      program: findProgram(names, path, debianPackage),
      args,
      env: {
        PGHOST: searchParams.get('host') ?? unbracketed(hostname),
        PGPORT: port || '5432',
        PGUSER: name,
        PGPASSWORD: secret,
        PGDATABASE: name,
        PGCONNECT_TIMEOUT: String(connectMs / 1000),
        PGAPPNAME: 'stratad',
        ...(ssl && { PGSSLMODE: ssl === 'no-verify' ? 'require' : ssl }),
        ...(root && { PGSSLROOTCERT: root }),
      },
      secrets: [...secrets, secret],
    }
  }

  return {
    kind: 'postgres',

    urlOf({ name, password }) {
      const target = new URL(url.reveal())
      target.username = name
      target.password = password.reveal()
      target.pathname = `/${name}`
      for (const key of ['user', 'password', 'options', 'schema']) target.searchParams.delete(key)
      return redacted(target.href)
    },

    exists: (name) => asAdministrator((client) => isIn(client, 'pg_database', 'datname', name)),

    async create(access) {
      const { name } = access
      await asAdministrator(async (client) => {
        await createRole(client, access)
        await createDatabase(client, name)
      })
      await asAdministrator(async (client) => {
        await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
        await client.query(`GRANT ALL ON SCHEMA public TO ${name}`)
      }, name)
    },

    revoke: (name) =>
      asAdministrator(async (client) => {
        if (!(await isIn(client, 'pg_roles', 'rolname', name))) return
        await client.query(`ALTER ROLE ${name} NOLOGIN`)
        await endConnections(client, name)
      }),

    drop: (name) =>
      asAdministrator(async (client) => {
        if (await isIn(client, 'pg_database', 'datname', name)) {
          await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
          await endConnections(client, name)
          await client.query(`DROP DATABASE IF EXISTS ${name}`)
        }
        await client.query(`DROP ROLE IF EXISTS ${name}`)
      }),

    sizeOf: (name) =>
      asAdministrator(async (client) => {
        const { rows } = await client.query(
          'SELECT pg_database_size(datname) AS bytes FROM pg_database WHERE datname = $1',
          [name],
        )
        return rows[0] === undefined ? undefined : Number(rows[0].bytes)
      }),

    async dump(access, options) {
      const args = ['--format=custom', '--no-owner', '--no-acl', '--no-password']
      return startDump(cells, transferOf(['pg_dump'], args, access), options)
    },

    async load(access, dump, options) {
      // pg_restore sends SQL as the branch's own user: a hostile dump gets no more than its rights.
      const args = [
        '--no-owner',
        '--no-acl',
        '--no-password',
        '--exit-on-error',
        '--dbname',
        access.name,
      ]
      await runLoad(cells, transferOf(['pg_restore'], args, access), dump, options)
    },
  }
}

async function isIn(client: Client, table: string, column: string, name: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [name])
  return rows.length > 0
}

/** Ends the connections of a database and of its user. */
async function endConnections(client: Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE (datname = $1 OR usename = $1) AND pid <> pg_backend_pid()',
    [name],
  )
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

import mssql from 'mssql'
import { servers } from '../servers/servers.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** Uses the SQL Server of `TEST_SQLSERVER_URL`. */
export async function startSqlserver(): Promise<Kind | Skipped> {
  const server = await servers.sqlserver()
  if ('skipped' in server) return { skipped: `not run on a server: ${server.skipped}` }
  const { url } = server
  return {
    ...serverKind(server, {
      create: (name) => execute(url, `CREATE DATABASE ${name}`),
      remove: (name) =>
        execute(
          url,
          `ALTER DATABASE ${name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE ${name}`,
        ),
      urlOf: (name) => inDatabase(url, name),
    }),
    contents: async (database) => {
      const rows = await query<{ name: string }>(database, everything)
      return rows.map(({ name }) => name)
    },
    dropTable: (database, table) => execute(database, drop(table)),
  }
}

/** Returns the server's URL with another database: `sqlserver://host:1433;database=shop;user=…`. */
export function inDatabase(url: string, name: string): string {
  const [server = '', ...settings] = partsOf(url)
  const others = settings.filter((setting) => !/^\s*(database|initial catalog)\s*=/i.test(setting))
  return [server, `database=${name}`, ...others].join(';')
}

const everything = `
  SELECT 'database ' + name AS name FROM sys.databases
  UNION SELECT 'table ' + name FROM sys.tables
  ORDER BY 1`

/** Returns SQL that drops a table after the foreign keys that reference it. */
function drop(table: string): string {
  return `
    DECLARE @sql nvarchar(max) = '';
    SELECT @sql += 'ALTER TABLE ' + QUOTENAME(OBJECT_NAME(parent_object_id)) + ' DROP CONSTRAINT ' + QUOTENAME(name) + ';'
    FROM sys.foreign_keys WHERE referenced_object_id = OBJECT_ID('${table}');
    EXEC sp_executesql @sql;
    DROP TABLE [${table}]`
}

async function execute(url: string, sql: string): Promise<void> {
  await query(url, sql)
}

async function query<Row>(url: string, sql: string): Promise<readonly Row[]> {
  const pool = await new mssql.ConnectionPool(connectionString(url)).connect()
  try {
    const { recordset } = await pool.request().query<Row>(sql)
    return recordset ?? []
  } finally {
    await pool.close()
  }
}

/** Translates a URL to the client's format: `Server=host,1433;Database=…;User Id=…`. */
export function connectionString(url: string): string {
  const [server = '', ...settings] = partsOf(url.replace(/^sqlserver:\/\//, ''))
  const named = settings.map((setting) => setting.replace(/^\s*user\s*=/i, 'User Id='))
  return [`Server=${server.replace(':', ',')}`, ...named].join(';')
}

/** Splits settings at semicolons, except inside braces. */
function partsOf(url: string): readonly string[] {
  return url.split(/;(?![^{]*\})/)
}

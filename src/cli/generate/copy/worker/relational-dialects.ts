import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import type { StoreKind } from '../../../../generator/model/store-kinds.ts'
import type { Sql } from './tables.ts'

/** The statements that differ between the dialects. Names of tables come from the model, and need no escaping. */
export interface Dialect {
  lastId(table: string): Promise<number>
  raiseLastId(table: string, id: number): Promise<void>
  foreign(collections: readonly CopiedCollection[]): Promise<readonly string[]>
}

/** Throws for a kind that no copy supports. */
export function dialectOf(kind: StoreKind, sql: Sql, databaseUrl: string): Dialect {
  switch (kind) {
    case 'sqlite':
      return sqlite(sql)
    case 'postgres':
      return postgres(sql, new URL(databaseUrl).searchParams.get('schema') || 'public')
    case 'mysql':
      return mysql(sql)
    default:
      throw new Error(`no copy from or to ${kind}`)
  }
}

function sqlite(sql: Sql): Dialect {
  return {
    async lastId(table) {
      const [row] = await sql.query('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
      return Number(row?.seq ?? 0)
    },

    // An insert raises the sequence. A table without inserts has no sequence yet.
    async raiseLastId(table, id) {
      const raise = 'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?'
      const count = await sql.execute(raise, id, table)
      if (count > 0 || id === 0) return
      await sql.execute('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, id)
    },

    foreign: async (collections) =>
      foreignColumns(
        collections,
        await sql.query(
          `SELECT m.name AS "table", c.name AS "column"
           FROM sqlite_schema m JOIN pragma_table_info(m.name) c
           WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'`,
        ),
      ),
  }
}

/** The client writes the schema before each table, and leaves `search_path` as it is. */
function postgres(sql: Sql, schema: string): Dialect {
  const sequence = `pg_get_serial_sequence(quote_ident($1) || '.' || quote_ident($2), 'id')`
  return {
    async lastId(table) {
      const last = `SELECT coalesce(pg_sequence_last_value(${sequence}::regclass), 0)::integer AS last`
      const [row] = await sql.query(last, schema, table)
      return Number(row?.last ?? 0)
    },

    async raiseLastId(table, id) {
      if (id <= (await this.lastId(table))) return
      const raise = `SELECT setval(${sequence}, $3::integer)::integer AS last`
      await sql.query(raise, schema, table, id)
    },

    foreign: async (collections) =>
      foreignColumns(
        collections,
        await sql.query(`${informationSchema} WHERE table_schema = $1`, schema),
      ),
  }
}

function mysql(sql: Sql): Dialect {
  return {
    async lastId(table) {
      const [row] = await sql.query(
        `SELECT auto_increment AS next_id FROM information_schema.tables
         WHERE table_schema = database() AND table_name = ?`,
        table,
      )
      return Math.max(0, Number(row?.next_id ?? 1) - 1)
    },

    // The server ignores a value that is too small.
    async raiseLastId(table, id) {
      await sql.execute(`ALTER TABLE \`${table}\` AUTO_INCREMENT = ${id + 1}`)
    },

    foreign: async (collections) =>
      foreignColumns(
        collections,
        await sql.query(`${informationSchema} WHERE table_schema = database()`),
      ),
  }
}

const informationSchema =
  'SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns'

/** Returns `table` for tables and `table.column` for columns that the model does not know. */
function foreignColumns(
  collections: readonly CopiedCollection[],
  rows: readonly Record<string, unknown>[],
): readonly string[] {
  const known = new Map(collections.map((each) => [each.name, columnsOf(each)]))
  const joins = collections.flatMap(({ name, many }) => many.map((list) => `_${name}_${list.name}`))
  const own = new Set(['_prisma_migrations', ...joins])
  const names = rows.flatMap(({ table, column }) => {
    const columns = known.get(String(table))
    if (!columns) return own.has(String(table)) ? [] : [String(table)]
    return columns.has(String(column)) ? [] : [`${table}.${column}`]
  })
  return [...new Set(names)].sort()
}

function columnsOf({ fields }: CopiedCollection): ReadonlySet<string> {
  const names = fields.flatMap(({ name, folded }) => (folded ? [name, `${name}_search`] : [name]))
  return new Set(['id', ...names, 'created_at', 'updated_at'])
}

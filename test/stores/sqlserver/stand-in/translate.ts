/** Translates a T-SQL statement of Prisma or of an emitted migration to SQLite. */
export function inSqlite(sql: string): string {
  const plain = sql.replaceAll('[dbo].', '')
  for (const { pattern, written } of shapes) {
    if (pattern.test(plain)) return plain.replace(pattern, written)
  }
  return paged(plain)
}

/** Statements with an entirely different form in SQLite. */
const shapes = [
  {
    // An INSERT that returns the new keys through a table variable.
    pattern:
      /^DECLARE @generated_keys table\(.*?\) (INSERT INTO .*?) OUTPUT .*? INTO @generated_keys (VALUES .*) SELECT (.*?) FROM @generated_keys .*$/s,
    written: (_: string, into: string, values: string, keys: string) =>
      `${into} ${values} RETURNING ${keys.replaceAll('[t].', '')}`,
  },
  {
    // An INSERT of many-to-many links that skips existing links.
    pattern: /^MERGE INTO (\S+) USING \((.*)\) AS \[dual\] \((.*?)\) ON .*$/s,
    written: (_: string, table: string, rows: string, columns: string) =>
      `INSERT INTO ${table} (${columns}) SELECT * FROM (${rows}) WHERE true ON CONFLICT DO NOTHING`,
  },
  {
    pattern: /^IF OBJECT_ID\('\w+'\) IS NULL CREATE TABLE (.*)$/s,
    written: (_: string, table: string) =>
      `CREATE TABLE IF NOT EXISTS ${table.replace('(MAX)', '')}`,
  },
] as const

function paged(sql: string): string {
  return sql
    .replace(/OFFSET (\S+) ROWS FETCH NEXT (\S+) ROWS ONLY/, 'LIMIT $2 OFFSET $1')
    .replace(/OFFSET (\S+) ROWS$/, 'LIMIT -1 OFFSET $1')
}

/**
 * Translates a migration to SQLite: a foreign key becomes part of its table, a unique constraint becomes an index of
 * the same name. Throws for unsupported statements.
 */
export function schemaInSqlite(migration: string): readonly string[] {
  const inner = /^BEGIN TRY\s+BEGIN TRAN;(.*)COMMIT TRAN;\s+END TRY\s/s.exec(migration)?.[1]
  if (inner === undefined) throw new Error('the stand-in does not support this form of migration')
  const statements = inner
    .replace(/^--.*$/gm, '')
    .replaceAll('[dbo].', '')
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  const keys = statements.map((statement) => foreignKey.exec(statement)?.slice(1) ?? [])
  return statements.flatMap((statement) => {
    if (foreignKey.test(statement)) return []
    if (index.test(statement)) return [statement.replace('NONCLUSTERED ', '')]
    const [, name, body = ''] = table.exec(statement) ?? []
    if (name === undefined) throw new Error(`the stand-in can't translate ${statement}`)
    const ownKeys = keys.filter(([of]) => of === name).map(([, key = '']) => key)
    return tableInSqlite(name, body.split(',\n'), ownKeys)
  })
}

const table = /^CREATE TABLE (\[\w+\]) \(\n(.*)\n\)$/s
const index = /^CREATE (UNIQUE )?NONCLUSTERED INDEX /
const foreignKey = /^ALTER TABLE (\[\w+\]) ADD (CONSTRAINT \[\w+\] FOREIGN KEY .*)$/s
const unique = /CONSTRAINT (\[\w+\]) UNIQUE NONCLUSTERED (\(.*\))/

function tableInSqlite(
  name: string,
  lines: readonly string[],
  keys: readonly string[],
): readonly string[] {
  const columns = lines
    .filter((line) => !unique.test(line) && !line.includes('PRIMARY KEY'))
    .map((line) =>
      line
        .replace('INT NOT NULL IDENTITY(1,1)', 'INTEGER PRIMARY KEY AUTOINCREMENT')
        .replace(' COLLATE Latin1_General_100_BIN2', '')
        .replace('NVARCHAR(max)', 'TEXT')
        .replace("DEFAULT N'", "DEFAULT '"),
    )
  const indexes = lines.flatMap((line) => {
    const [, index, parts] = unique.exec(line) ?? []
    return index === undefined ? [] : [`CREATE UNIQUE INDEX ${index} ON ${name}${parts}`]
  })
  return [`CREATE TABLE ${name} (${[...columns, ...keys].join(',')})`, ...indexes]
}

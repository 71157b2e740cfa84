import { StrataError } from '../errors.ts'
import type { Model } from '../model/model.ts'
import type { BranchTable } from './dialects/dialect.ts'
import { dialectOf } from './dialects/registry.ts'
import { keptName } from './dialects/sqlite-rebuild.ts'
import { nextMigrationFolder } from './migration-folder.ts'
import type { OwnObjects } from './own-objects.ts'
import { type MigrationFile, replaySqlite } from './own-sqlite.ts'
import { type Table, tablesOf } from './tables.ts'

/** The migrations of two merged branches. Paths are `prisma/migrations/<name>/migration.sql`. */
export interface BranchMigrations {
  /** The migrations of the common commit. */
  readonly shared: readonly MigrationFile[]
  readonly ours: readonly MigrationFile[]
  readonly theirs: readonly MigrationFile[]
  /** The written models of the common commit and of both branches. */
  readonly models: readonly Model[]
  readonly merged: Model
}

/**
 * Returns the migrations that mend what the branches do to each other on SQLite: the rebuild of a table drops the columns of
 * the other branch. The first one runs before those of the branches and keeps the values of such columns, the second one runs
 * last. Empty if no table needs them. Throws StrataError 'conflict' if a database of a branch can't apply the migrations.
 */
export async function mendBranches(branches: BranchMigrations): Promise<readonly MigrationFile[]> {
  const { shared, ours, theirs } = branches
  const mends = await mendsOf(branches)
  const all = sorted([...shared, ...ours, ...theirs, ...mends])
  const histories = [
    { name: 'of this branch', applied: [...shared, ...ours] },
    { name: 'of the merged branch', applied: [...shared, ...theirs] },
    { name: 'without either branch', applied: shared },
    { name: 'that is new', applied: [] },
  ]
  for (const { name, applied } of histories) {
    const pending = all.filter((file) => !applied.includes(file))
    await tryOut(name, [...sorted(applied), ...pending])
  }
  return mends
}

async function mendsOf(branches: BranchMigrations): Promise<readonly MigrationFile[]> {
  const { shared, ours, theirs, merged, models } = branches
  const { rebuild } = dialectOf('sqlite').sql
  const tables = await sharedTables(branches)
  const names = [...shared, ...ours, ...theirs].map(folderOf)
  const [first = ''] = [...ours, ...theirs].map(folderOf).toSorted()
  if (tables.length === 0 || rebuild === undefined) return []
  const words = tables.map(({ table }) => table.name).join('_and_')
  const keep = `${/^\d+/.exec(first)?.[0] ?? ''}__keep_${words}`
  if (!(keep < first))
    throw new StrataError(
      'conflict',
      `two branches rebuild ${words}, and no migration can be put before ${first}: give it a number, like 0007_${first}`,
    )
  const keeping = migration(keep, 'KeepColumns', tables.map(rebuild.keep))
  const replay = await replaySqlite(sorted([...shared, ...ours, ...theirs, keeping]), merged)
  replay.close()
  const own = withoutModelled(replay.own, models)
  const taken = new Set(models.flatMap((model) => tablesOf(model)).map(({ name }) => name))
  return [
    keeping,
    migration(
      nextMigrationFolder([...names, keep], `merge_${words}`),
      'RedefineTables',
      rebuild.merge(tables, taken, own),
    ),
  ]
}

/** Lists the tables that one branch rebuilds and the other one changes. */
async function sharedTables({
  shared,
  ours,
  theirs,
  merged,
}: BranchMigrations): Promise<readonly BranchTable[]> {
  const base = await tablesAfter(shared)
  const [left, right] = [
    { files: ours, tables: await tablesAfter([...shared, ...ours]) },
    { files: theirs, tables: await tablesAfter([...shared, ...theirs]) },
  ]
  type Side = typeof left
  const rebuilds = ({ files }: Side, { name }: Table) =>
    files.some(({ sql }) => sql.includes(`DROP TABLE "${name}"`))
  const changes = ({ tables }: Side, { name }: Table) =>
    tables.get(name)?.sql !== base.get(name)?.sql
  return tablesOf(merged).flatMap((table) => {
    const before = base.get(table.name)
    const isShared =
      (rebuilds(left, table) && changes(right, table)) ||
      (rebuilds(right, table) && changes(left, table))
    if (before === undefined || table.isJoin || !isShared) return []
    const uncertain = table.columns.filter(({ name }) => !before.columns.includes(name))
    return [{ table, uncertain, kept: keptName(table.name) }]
  })
}

interface CreatedTable {
  readonly sql: string
  readonly columns: readonly string[]
}

async function tablesAfter(
  files: readonly MigrationFile[],
): Promise<ReadonlyMap<string, CreatedTable>> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(':memory:')
  try {
    for (const { sql } of sorted(files)) database.exec(`PRAGMA foreign_keys = OFF;\n${sql}`)
    const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all()
    return new Map(
      rows.map((row) => {
        const { name, sql } = row as { name: string; sql: string }
        const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(name)
        return [name, { sql, columns: columns.map((each) => (each as { name: string }).name) }]
      }),
    )
  } finally {
    database.close()
  }
}

/** A database of one branch may have a column that the merged model lacks, so such a column is nobody's own. */
function withoutModelled(own: OwnObjects, models: readonly Model[]): OwnObjects {
  const tables = models.flatMap((model) => tablesOf(model))
  const isModelled = (table: string, name: string) =>
    tables.some((each) => each.name === table && each.columns.some((one) => one.name === name))
  return {
    ...own,
    tables: new Map(
      [...own.tables].map(([table, inTable]) => [
        table,
        { ...inTable, columns: inTable.columns.filter(({ name }) => !isModelled(table, name)) },
      ]),
    ),
  }
}

async function tryOut(database: string, files: readonly MigrationFile[]): Promise<void> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const trial = new DatabaseSync(':memory:')
  try {
    for (const { path, sql } of files) {
      try {
        trial.exec(`PRAGMA foreign_keys = OFF;\n${sql}`)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new StrataError(
          'conflict',
          `the migrations of both branches do not fit: on a database ${database}, ${path} fails (${reason}): take one of the two changes back on its branch`,
        )
      }
    }
  } finally {
    trial.close()
  }
}

function migration(folder: string, title: string, statements: readonly string[]): MigrationFile {
  const sql = `-- ${title}\n${statements.map((statement) => `${statement};\n`).join('')}`
  return { path: `prisma/migrations/${folder}/migration.sql`, sql }
}

function folderOf({ path }: MigrationFile): string {
  return path.split('/').at(-2) ?? ''
}

function sorted(files: readonly MigrationFile[]): readonly MigrationFile[] {
  return files.toSorted((one, other) => (folderOf(one) < folderOf(other) ? -1 : 1))
}

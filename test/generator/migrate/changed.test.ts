import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTables } from '../../../src/generator/migrate/compare-tables.ts'
import { dialectOf } from '../../../src/generator/migrate/dialects/registry.ts'
import { isAlterable } from '../../../src/generator/migrate/dialects/sqlite-alter.ts'
import { migrate } from '../../../src/generator/migrate/migrate.ts'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import type { TableChange } from '../../../src/generator/migrate/table-change.ts'
import { tablesOf } from '../../../src/generator/migrate/tables.ts'
import { newUniqueEmails } from '../../../src/generator/migrate/unique-emails.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { features } from '../../support/generator/migrate/arbitraries.ts'
import { engineSql, statements } from '../../support/generator/migrate/engine.ts'
import { withFeatures } from '../../support/generator/migrate/migrate.ts'

test.each(['sqlite', 'postgres'] as const)(
  "migrate writes the statements of Prisma's engine for any change on %s",
  async (kind) => {
    // The engine ignores changes of date defaults and treats all JSON defaults as equal.
    const drawn = features(['User', 'Tag', 'BlogPost'], { dateDefaults: false })
    const models = drawn.map((list) => withFeatures(kind, list))
    await fc.assert(
      fc.asyncProperty(models, models, async (from, to) => {
        fc.pre(hasEqualStatements(from, to))
        const ours = migrate(from, to)?.sql ?? '-- This is an empty migration.'
        const theirs = await engineSql(prismaSchema(from), prismaSchema(to))
        expect(statements(ours).filter((statement) => !isOurs(statement))).toEqual(
          statements(theirs),
        )
      }),
      { numRuns: 150 },
    )
  },
)

/** Excludes changes for which we add statements: `databases.test.ts` checks them on populated tables. */
function hasEqualStatements(from: Model, to: Model): boolean {
  const dialect = dialectOf(to.database)
  const { dropped, altered } = compareTables(tablesOf(from), tablesOf(to), dialect)
  const columns = altered.flatMap((change) => change.altered)
  if (altered.some(({ folded }) => folded.length > 0)) return false
  if (altered.some((change) => newUniqueEmails(change).length > 0)) return false
  if (dialect.kind !== 'sqlite') return columns.every((change) => !change.fills)
  // The engine rebuilds a table where SQLite can drop or add the column.
  if (altered.some((change) => isAlterable(change) && !isAlterableByEngine(change))) return false
  // If the engine also rebuilds a table, it first drops the indexes of dropped tables, without effect.
  if (dropped.length > 0 && altered.length > 0) return false
  return columns.every(
    (change) =>
      change.keepsValues && dialect.sql.convert?.(change.from, change.to, '') === undefined,
  )
}

function isAlterableByEngine({ dropped, added, createdKeys }: TableChange): boolean {
  return dropped.length + createdKeys.length === 0 && added.every(({ nullable }) => nullable)
}

/** If the engine rebuilds a table, it forgets the counter of AUTOINCREMENT, and drops the columns of another branch. */
function isOurs(statement: string): boolean {
  return statement.includes('"sqlite_sequence"') || statement.includes('pragma_table_info')
}

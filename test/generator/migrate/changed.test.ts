import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare } from '../../../src/generator/migrate/changes.ts'
import { dialectOf } from '../../../src/generator/migrate/dialects/registry.ts'
import { migrate } from '../../../src/generator/migrate/diff.ts'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import { tablesOf } from '../../../src/generator/migrate/tables.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { features } from '../../support/generator/migrate/arbitraries.ts'
import { engineSql, statements } from '../../support/generator/migrate/engine.ts'
import { withFeatures } from '../../support/generator/migrate/migrate.ts'

test.each(['sqlite', 'postgres'] as const)(
  'a change of a model is the migration the engine writes on %s',
  async (kind) => {
    // The engine takes any change of a date's default for none, and of JSON's for the same one.
    const drawn = features(['User', 'Tag', 'BlogPost'], { dateDefaults: false })
    const models = drawn.map((list) => withFeatures(kind, list))
    await fc.assert(
      fc.asyncProperty(models, models, async (from, to) => {
        fc.pre(isSaidAlike(from, to))
        const ours = migrate(from, to)?.sql ?? '-- This is an empty migration.'
        const theirs = await engineSql(prismaSchema(from), prismaSchema(to))
        expect(statements(ours)).toEqual(statements(theirs))
      }),
      { numRuns: 150 },
    )
  },
)

/** Where we say more than the engine: see what `databases.test.ts` asks of a populated table. */
function isSaidAlike(from: Model, to: Model): boolean {
  const dialect = dialectOf(to.database)
  const { dropped, altered } = compare(tablesOf(from), tablesOf(to), dialect)
  const columns = altered.flatMap((change) => change.altered)
  if (altered.some(({ folded }) => folded.length > 0)) return false
  if (dialect.kind !== 'sqlite') return columns.every((change) => !change.fills)
  // Beside a table that it makes anew, the engine drops a dropped one's indexes first, for nothing.
  if (dropped.length > 0 && altered.length > 0) return false
  return columns.every(
    (change) =>
      change.keepsValues && dialect.sql.convert?.(change.from, change.to, '') === undefined,
  )
}

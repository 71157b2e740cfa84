import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/generator/migrate/migrate.ts'
import type { Feature, Model } from '../../../src/generator/model/model.ts'
import { refuseCascadePaths } from '../../../src/generator/stores/prisma-sql/sqlserver-cascades.ts'
import { features } from '../../support/generator/migrate/arbitraries.ts'
import { blog, everything, withFeatures } from '../../support/generator/migrate/migrate.ts'
import { type Parser, startParser } from './parser.ts'

const parser = await startParser()

if ('skipped' in parser) {
  const { skipped } = parser
  test("Microsoft's parser accepts all T-SQL", (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe("Microsoft's T-SQL parser", () => describeParser(parser))

function describeParser(parser: Parser): void {
  afterAll(parser.stop)

  const reasons = async (statement: string) =>
    (await parser.refusals([statement])).map(({ reason }) => reason)

  test.each([
    ['LIMIT', 'SELECT [a] FROM [b] LIMIT 1'],
    ['backticks', 'SELECT `a` FROM [b]'],
    ['RETURNING', 'INSERT INTO [b] ([a]) VALUES (1) RETURNING [a]'],
    ['ON CONFLICT', 'INSERT INTO [b] ([a]) VALUES (1) ON CONFLICT DO NOTHING'],
    ['ON DUPLICATE KEY', 'INSERT INTO [b] ([a]) VALUES (1) ON DUPLICATE KEY UPDATE [a] = 2'],
    ['IF NOT EXISTS', 'CREATE TABLE IF NOT EXISTS [b] ([a] INT)'],
    ['RESTRICT', 'CREATE TABLE [b] ([a] INT REFERENCES [c]([id]) ON DELETE RESTRICT)'],
    ['a type of others', 'CREATE TABLE [b] ([a] BOOLEAN)'],
    ['ILIKE', "SELECT [a] FROM [b] WHERE [a] ILIKE '%x%'"],
    ['||', 'SELECT [a] || [b] FROM [c]'],
    ['parameters with a question mark', 'SELECT [a] FROM [b] WHERE [a] = ?'],
    ['OFFSET without an order', 'SELECT [a] FROM [b] OFFSET 1 ROWS'],
    ['MERGE without its semicolon', 'MERGE INTO a USING b ON a.c = b.c WHEN MATCHED THEN DELETE'],
    ['a misspelt keyword', 'SELECT [a] FROM [b] WHER [a] = 1'],
    ['a misspelt end', 'CREATE TABLE [b] ([a] INT NOT NUL)'],
    ['what has no end', 'BEGIN TRY SELECT 1 END TRY'],
  ])('refuses %s', async (_, statement) => {
    expect(await reasons(statement)).not.toEqual([])
  })

  test('accepts unknown tables and mismatched types, which only a server can check', async () => {
    expect(await reasons('SELECT [no] FROM [such] WHERE TRUE = 1 FOR UPDATE')).toEqual([])
  })

  test('accepts the migrations that create and change every kind of field and relation', async () => {
    const drawn = features(['User', 'Tag', 'BlogPost'], { dateDefaults: true })
    const models = fc
      .sample(fc.tuple(drawn, drawn), { numRuns: 150, seed: 1 })
      .map((pair) => pair.map(possible))
    const known = [everything('sqlserver'), blog('sqlserver')]
    const pairs: (readonly [Model | undefined, Model])[] = [
      ...known.map((model) => [undefined, model] as const),
      ...models.flatMap(([from, to]) =>
        from && to
          ? ([
              [undefined, from],
              [from, to],
            ] as const)
          : [],
      ),
    ]
    const statements = pairs.flatMap(([from, to]) => migrate(from, to)?.sql ?? [])
    expect(statements.length).toBeGreaterThan(100)
    expect(await parser.refusals(statements)).toEqual([])
  })
}

/** Removes features that this kind refuses: JSON fields, and two cascade paths to one table. */
function possible(list: readonly Feature[]): Model {
  const withoutJson = list.map((each) => ({
    ...each,
    fields: each.fields.filter(({ type }) => type.kind !== 'json'),
  }))
  const model = withFeatures('sqlserver', withoutJson)
  try {
    refuseCascadePaths(model)
    return model
  } catch {
    return withFeatures('sqlserver', withoutJson.map(withoutCascades))
  }
}

function withoutCascades(feature: Feature): Feature {
  const fields = feature.fields.map(({ references, ...field }) =>
    references ? { ...field, references: { ...references, cascade: false } } : field,
  )
  return { ...feature, fields }
}

import { expect, test } from 'vitest'
import { migrate } from '../../../src/generator/migrate/migrate.ts'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import { engineSql, statements } from '../../support/generator/migrate/engine.ts'
import { blog, everything, modelOf } from '../../support/generator/migrate/migrate.ts'

test("the first migration on PostgreSQL equals that of Prisma's engine", async () => {
  const model = everything('postgres')
  const theirs = await engineSql(undefined, prismaSchema(model))
  expect(statements(migrate(undefined, model)?.sql ?? '')).toEqual(statements(theirs))
})

test("the first migration on SQLite equals that of Prisma's engine, except dates and JSON", async () => {
  const model = everything('sqlite')
  const theirs = await engineSql(undefined, prismaSchema(model))
  const corrected = theirs
    .replace(/'(\S+) (\d\d:\d\d:\d\d) \+00:00'/g, "'$1T$2.000+00:00'")
    .replace(/'(\S+) (\d\d:\d\d:\d\d\.\d{3}) \+00:00'/g, "'$1T$2+00:00'")
    .replace(`DEFAULT {"a":[1,"it's"]}`, `DEFAULT '{"a":[1,"it''s"]}'`)
  expect(statements(migrate(undefined, model)?.sql ?? '')).toEqual(statements(corrected))
})

test("a name too long for PostgreSQL is truncated like in Prisma's engine", async () => {
  const model = modelOf('postgres', { [`Pos${'t'.repeat(54)}`]: 'x:int' })
  const [feature] = model.features
  expect(feature?.entity.plural.snake.length).toBe(58)
  const theirs = await engineSql(undefined, prismaSchema(model))
  expect(statements(migrate(undefined, model)?.sql ?? '')).toEqual(statements(theirs))
})

test.each(['sqlite', 'postgres'] as const)(
  "the migration of relations, users and search equals that of Prisma's engine on %s",
  async (kind) => {
    const model = blog(kind)
    const theirs = await engineSql(undefined, prismaSchema(model))
    expect(statements(migrate(undefined, model)?.sql ?? '')).toEqual(statements(theirs))
  },
)

test("relation names too long for PostgreSQL are truncated like in Prisma's engine", async () => {
  const long = `Pos${'t'.repeat(43)}`
  const fields = 'author_with_a_long_name_id:uint:fk(Tag),long_labels:many(Tag)'
  const model = modelOf('postgres', { [long]: fields, Tag: 'x:int' })
  const theirs = await engineSql(undefined, prismaSchema(model))
  expect(statements(migrate(undefined, model)?.sql ?? '')).toEqual(statements(theirs))
})

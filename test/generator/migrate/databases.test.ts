import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareTables } from '../../../src/generator/migrate/compare-tables.ts'
import { dialectOf } from '../../../src/generator/migrate/dialects/registry.ts'
import { migrate } from '../../../src/generator/migrate/migrate.ts'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import { tablesOf } from '../../../src/generator/migrate/tables.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { features } from '../../support/generator/migrate/arbitraries.ts'
import {
  type Database,
  openPostgres,
  openSqlite,
} from '../../support/generator/migrate/databases.ts'
import { drift } from '../../support/generator/migrate/engine.ts'
import {
  blog,
  everything,
  modelOf,
  searched,
  withFeatures,
} from '../../support/generator/migrate/migrate.ts'
import { fill } from '../../support/generator/migrate/rows.ts'
import { whyNoPostgres } from '../../support/postgres.ts'

const noPostgres = whyNoPostgres()
const kinds = [
  { kind: 'sqlite', open: async () => openSqlite(), skip: undefined },
  { kind: 'postgres', open: openPostgres, skip: noPostgres },
] as const

for (const { kind, open, skip } of kinds) {
  describe.skipIf(skip)(`a migration on ${kind}${skip ? ` (skipped: ${skip})` : ''}`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database?.stop())

    test('matches its schema after the first migration, for any fields', async () => {
      for (const model of [everything(kind), blog(kind)]) {
        await start(database, model)
        expect(await drift(database.factory, prismaSchema(model))).toEqual([])
      }
    })

    test('matches its schema after any change and keeps the rows of unchanged columns', async () => {
      const models = features(['User', 'NewUser', 'BlogPost'], { dateDefaults: true }).map((list) =>
        withFeatures(kind, list),
      )
      await fc.assert(
        fc.asyncProperty(models, models, async (from, to) => {
          const migration = migrate(from, to)
          const failsOnRows = migration?.destructive.some((loss) =>
            /the migration fails/.test(loss),
          )
          await start(database, from)
          if (!failsOnRows) await database.run(fill(from))
          const before = await contents(database, from, to)
          await database.run(migration?.sql ?? '')
          const changes = await drift(database.factory, prismaSchema(to))
          expect(changes.filter((statement) => !isUuidDefault(statement))).toEqual([])
          expect(await contents(database, from, to)).toEqual(before)
        }),
        { numRuns: 40 },
      )
    })

    test.runIf(kind === 'sqlite')(
      'writes the current time in the format of the app, which sorts by time',
      async () => {
        await start(
          database,
          modelOf(kind, { User: 'at:datetime:default=now,day:date:default=now' }),
        )
        await database.run('INSERT INTO "users" DEFAULT VALUES')
        const [row] = await database.rows('SELECT * FROM "users"')
        const format = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
        for (const name of ['created_at', 'updated_at', 'at', 'day']) {
          expect(row?.[name], name).toMatch(format)
        }
      },
    )

    test('replaces NULL by the default if a column becomes required', async () => {
      const from = modelOf(kind, { User: 'age:int:optional,at:datetime:optional' })
      const to = modelOf(kind, {
        User: 'age:int:default=18,at:datetime:default="2020-02-29T12:30:00Z"',
      })
      await start(database, from)
      await database.run(fill(from))
      await database.run(migrate(from, to)?.sql ?? '')
      expect(await database.rows('SELECT "age" FROM "users" ORDER BY "id"')).toEqual([
        { age: 1 },
        { age: 2 },
        { age: 18 },
      ])
      expect(await database.rows('SELECT "id" FROM "users" WHERE "at" IS NULL')).toEqual([])
    })

    test.each(['mail:email', 'mail:string'])(
      'stores the addresses of %s in lower case if it becomes unique',
      async (field) => {
        const [from, to] = [field, 'mail:email:unique'].map((mail) =>
          modelOf(kind, { User: `${mail},age:int:optional` }),
        )
        if (from === undefined || to === undefined) throw new Error('two models')
        await start(database, from)
        await database.run(`INSERT INTO "users" ("mail") VALUES ('Ada@Example.com')`)
        await database.run(migrate(from, to)?.sql ?? '')
        expect(await database.rows('SELECT "mail" FROM "users"')).toEqual([
          { mail: 'ada@example.com' },
        ])
        expect(migrate(to, to)).toBeUndefined()
      },
    )

    test.each([
      ['done:bool', 'done:string', ['true', 'false', 'false']],
      ['price:decimal(8,2)', 'price:int', [1, 2, 3]],
      ['price:decimal(8,2)', 'price:text', ['1.25', '2.25', '3.25']],
      ['day:date', 'day:text', ['2026-01-01', '2026-01-02', '2026-01-03']],
    ])('converts the values of %s to %s', async (before, after, values) => {
      const [from, to] = [modelOf(kind, { User: before }), modelOf(kind, { User: after })]
      await start(database, from)
      await database.run(fill(from))
      await database.run(migrate(from, to)?.sql ?? '')
      const rows = await database.rows('SELECT * FROM "users" ORDER BY "id"')
      expect(rows.map((row) => row[after.split(':')[0] ?? ''])).toEqual(values)
    })

    test('keeps rows, links and references if a table between them changes', async () => {
      const posts = 'author_id:uint:fk(User),tags:many(Tag)'
      const others = { Comment: 'post_id:uint:fk(Post):cascade', Tag: 'name:string' }
      const from = modelOf(kind, { User: 'name:string', Post: `title:string,${posts}`, ...others })
      const to = modelOf(kind, {
        User: 'name:text,age:int:default=1',
        Post: `title:string:optional,${posts}`,
        ...others,
      })
      await start(database, from)
      await database.run(fill(from))
      await database.run(migrate(from, to)?.sql ?? '')
      await enforceKeys(database)
      await expect(database.rows('DELETE FROM "users" WHERE "id" = 1')).rejects.toThrow(
        /foreign key/i,
      )
      await database.rows('DELETE FROM "posts" WHERE "id" = 1')
      expect(await database.rows('SELECT "id", "post_id" FROM "comments" ORDER BY "id"')).toEqual([
        { id: 2, post_id: 2 },
        { id: 3, post_id: 3 },
      ])
      expect(await database.rows('SELECT * FROM "_posts_tags"')).toEqual([{ A: 2, B: 3 }])
    })

    test('removes a cascade from a foreign key', async () => {
      const model = (fields: string) => modelOf(kind, { Comment: fields, Post: 'title:string' })
      const [from, to] = [model('post_id:uint:fk(Post):cascade'), model('post_id:uint:fk(Post)')]
      await start(database, from)
      await database.run(fill(from))
      await database.run(migrate(from, to)?.sql ?? '')
      await enforceKeys(database)
      await expect(database.rows('DELETE FROM "posts" WHERE "id" = 1')).rejects.toThrow(
        /foreign key/i,
      )
    })

    test('creates and drops tables with circular references', async () => {
      const model = modelOf(kind, {
        Team: 'leader_id:uint:optional:fk(Person)',
        Person: 'team_id:uint:fk(Team),mentor_id:uint:optional:fk(Person):cascade',
      })
      await start(database, model)
      expect(await drift(database.factory, prismaSchema(model))).toEqual([])
      await database.run(fill(model))
      const nothing = modelOf(kind, {})
      await database.run(migrate(model, nothing)?.sql ?? '')
      expect(await drift(database.factory, prismaSchema(nothing))).toEqual([])
    })

    test('folds the existing text of a newly searched field', async () => {
      const from = modelOf(kind, { Post: 'title:string,note:text:optional' })
      const to = searched(
        modelOf(kind, { Post: 'title:string,note:text:optional,kind:string:default="A_b"' }),
        { Post: ['title', 'note', 'kind'] },
      )
      await start(database, from)
      await database.run(fill(from))
      await database.run(String.raw`UPDATE "posts" SET "title" = 'A%b_C\d[*?ς' WHERE "id" = 3`)
      await database.run(migrate(from, to)?.sql ?? '')
      expect(
        await database.rows('SELECT "title_search", "note_search", "kind_search" FROM "posts"'),
      ).toEqual([
        { title_search: 't1', note_search: 't1', kind_search: 'a\ue001b' },
        { title_search: 't2', note_search: 't2', kind_search: 'a\ue001b' },
        {
          title_search: 'a\ue000b\ue001c\ue002d\ue003\ue004\ue005σ',
          note_search: '',
          kind_search: 'a\ue001b',
        },
      ])
      expect(await drift(database.factory, prismaSchema(to))).toEqual([])
    })

    test('folds the default that replaces NULL in a searched column', async () => {
      const model = (fields: string) =>
        searched(modelOf(kind, { Post: fields }), { Post: ['note'] })
      const [from, to] = [model('note:text:optional'), model('note:text:default=None')]
      await start(database, from)
      await database.run(fill(from))
      await database.run(migrate(from, to)?.sql ?? '')
      expect(
        await database.rows('SELECT "note", "note_search" FROM "posts" WHERE "id" = 3'),
      ).toEqual([{ note: 'None', note_search: 'none' }])
    })

    test('announces that a new required column without a default fails on rows, and then fails', async () => {
      const [from, to] = [modelOf(kind, { User: 'a:int' }), modelOf(kind, { User: 'a:int,b:int' })]
      await start(database, from)
      await database.run(fill(from))
      const migration = migrate(from, to)
      expect(migration?.destructive).toHaveLength(1)
      await expect(database.run(migration?.sql ?? '')).rejects.toThrow(/null/i)
    })
  })
}

// On PostgreSQL, the engine does not recognize its own uuid default and sets the default again each time.
function isUuidDefault(statement: string): boolean {
  return / SET DEFAULT '[0-9a-f-]{36}'$/.test(statement)
}

/** Enforces foreign keys like the emitted application. Migrations run without enforcement. */
async function enforceKeys({ kind, rows }: Database): Promise<void> {
  if (kind === 'sqlite') await rows('PRAGMA foreign_keys = ON')
}

async function start(database: Database, model: Model): Promise<void> {
  await database.empty()
  await database.run(migrate(undefined, model)?.sql ?? '')
}

/** Reads the rows of tables that exist in both models, without the changed columns. */
async function contents(database: Database, from: Model, to: Model): Promise<unknown> {
  const [before, after] = [tablesOf(from), tablesOf(to)]
  const { altered } = compareTables(before, after, dialectOf(to.database))
  const found: unknown[] = []
  for (const table of before) {
    if (!after.some(({ name }) => name === table.name)) continue
    const change = altered.find((each) => each.from === table)
    const touched = [
      ...(change?.dropped ?? []),
      ...(change?.altered ?? []).map((each) => each.from),
    ].map(({ name }) => name)
    const folded = (change?.folded ?? []).map(({ column }) => column.name)
    const columns = table.columns.filter(({ name }) => ![...touched, ...folded].includes(name))
    const list = columns.map(({ name }) => `"${name}"`).join(', ')
    found.push(await database.rows(`SELECT ${list} FROM "${table.name}" ORDER BY 1, 2`))
  }
  return found
}

test('a date default of a SQLite column has the format that the client reads and sorts', async () => {
  const database = openSqlite()
  const from = modelOf('sqlite', { User: 'a:int' })
  const dates =
    'a:int,seen:datetime:default=now,day:date:default=now,first:date:default=2020-02-29,last:datetime:optional:default=now'
  const to = modelOf('sqlite', { User: dates })
  await start(database, from)
  await database.run(fill(from))
  await database.run(migrate(from, to)?.sql ?? '')
  const [row] = await database.rows('SELECT "seen", "day", "first", "last" FROM "users"')
  const midnight = /^\d{4}-\d{2}-\d{2}T00:00:00\.000\+00:00$/
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/
  expect(row).toEqual({
    seen: expect.stringMatching(instant),
    day: expect.stringMatching(midnight),
    first: '2020-02-29T00:00:00.000+00:00',
    last: expect.stringMatching(instant),
  })
  await database.stop()
})

test('on SQLite, a datetime that becomes a date is set to midnight', async () => {
  const database = openSqlite()
  const from = modelOf('sqlite', { User: 'at:datetime' })
  const to = modelOf('sqlite', { User: 'at:date' })
  await start(database, from)
  await database.run(fill(from))
  await database.run(migrate(from, to)?.sql ?? '')
  expect(await database.rows('SELECT "at" FROM "users" ORDER BY "id" LIMIT 1')).toEqual([
    { at: '2026-01-01T00:00:00.000+00:00' },
  ])
  await database.stop()
})

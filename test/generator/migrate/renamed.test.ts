import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialectOf, dialects } from '../../../src/generator/migrate/dialects/registry.ts'
import { migrate } from '../../../src/generator/migrate/migrate.ts'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import { renameMigration } from '../../../src/generator/migrate/rename-migration.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import type { Rename } from '../../../src/generator/model/rename.ts'
import { renameInModel } from '../../../src/generator/model/rename.ts'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { parseRename } from '../../../src/generator/spec/rename.ts'
import {
  type Database,
  openPostgres,
  openSqlite,
} from '../../support/generator/migrate/databases.ts'
import { drift } from '../../support/generator/migrate/engine.ts'
import { modelOf, searched } from '../../support/generator/migrate/migrate.ts'
import { whyNoPostgres } from '../../support/postgres.ts'

function blog(kind: StoreKind): Model {
  const model = modelOf(kind, {
    Tag: 'name:string,slug:string:unique',
    Post: 'title:string:index,code:string:optional:unique,parent_id:uint:fk(Post):optional,live:bool:default=false,tags:many(Tag)',
    Comment: 'post_id:uint:fk(Post):cascade,text:text',
  })
  return searched(model, { Post: ['title'] })
}

function renamed(model: Model, from: string, to: string): Model {
  return renameInModel(model, parseRename(model, from, to) as Rename)
}

const rows = `
INSERT INTO "tags" ("name", "slug") VALUES ('one', 'one'), ('two', 'two');
INSERT INTO "posts" ("title", "title_search", "code") VALUES ('First', 'first', 'a'), ('Second', 'second', NULL);
INSERT INTO "comments" ("post_id", "text") VALUES (1, 'hello'), (2, 'bye');
INSERT INTO "_posts_tags" ("A", "B") VALUES (1, 2), (2, 1), (2, 2);
`

/** Renames that exchange the ends of the join table, and rename tables, columns, keys and indexes. */
const steps = [
  ['Post', 'Zebra'],
  ['Zebra.title', 'headline'],
  ['Zebra.code', 'number'],
  ['Zebra.parent_id', 'above_id'],
  ['Zebra.tags', 'labels'],
  ['Tag', 'Label'],
] as const

const noPostgres = whyNoPostgres()
const kinds = [
  { kind: 'sqlite', open: async () => openSqlite(), skip: undefined },
  { kind: 'postgres', open: openPostgres, skip: noPostgres },
] as const

for (const { kind, open, skip } of kinds) {
  describe.skipIf(skip)(`a rename on ${kind}${skip ? ` (skipped: ${skip})` : ''}`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database?.stop())

    test('keeps every row and link, and matches the schema after each step', async () => {
      await database.empty()
      let model = blog(kind)
      await database.run(`${migrate(undefined, model)?.sql}${rows}`)
      for (const [from, to] of steps) {
        const next = renamed(model, from, to)
        await database.run(renameMigration(model, next)?.sql ?? '')
        expect(await drift(database.factory, prismaSchema(next)), `${from} ${to}`).toEqual([])
        model = next
      }
      expect(
        await database.rows('SELECT id, headline, headline_search, number FROM zebras ORDER BY id'),
      ).toEqual([
        { id: 1, headline: 'First', headline_search: 'first', number: 'a' },
        { id: 2, headline: 'Second', headline_search: 'second', number: null },
      ])
      expect(await database.rows('SELECT zebra_id, text FROM comments ORDER BY id')).toEqual([
        { zebra_id: 1, text: 'hello' },
        { zebra_id: 2, text: 'bye' },
      ])
      expect(
        await database.rows('SELECT "B" AS zebra, "A" AS label FROM _zebras_labels ORDER BY 1, 2'),
      ).toEqual([
        { zebra: 1, label: 2 },
        { zebra: 2, label: 1 },
        { zebra: 2, label: 2 },
      ])
    })

    test('leaves the names of a new database', async () => {
      const names = `${kind === 'sqlite' ? "SELECT name FROM sqlite_schema WHERE type = 'index'" : "SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace UNION SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"} ORDER BY 1`
      const before = blog(kind)
      const after = steps.reduce((model, [from, to]) => renamed(model, from, to), before)
      await database.empty()
      await database.run(migrate(undefined, after)?.sql ?? '')
      const expected = await database.rows(names)
      await database.empty()
      await database.run(migrate(undefined, before)?.sql ?? '')
      let model = before
      for (const [from, to] of steps) {
        const next = renamed(model, from, to)
        await database.run(renameMigration(model, next)?.sql ?? '')
        model = next
      }
      expect(await database.rows(names)).toEqual(expected)
    })
  })
}

test('a rename on sqlite carries own columns, indexes, triggers and views', async () => {
  const database = openSqlite()
  const before = blog('sqlite')
  await database.run(`${migrate(undefined, before)?.sql}${rows}
ALTER TABLE "posts" ADD COLUMN "mine" TEXT DEFAULT 'x';
CREATE INDEX "my_index" ON "posts"("title", "mine");
CREATE TABLE "log" ("text" TEXT);
CREATE TRIGGER "my_trigger" AFTER INSERT ON "posts" BEGIN INSERT INTO "log" VALUES (NEW."title"); END;
CREATE VIEW "my_view" AS SELECT "id", "title" AS "shown" FROM "posts";`)
  const after = renamed(renamed(before, 'Post.title', 'headline'), 'Post', 'Article')
  const middle = renamed(before, 'Post.title', 'headline')
  await database.run(renameMigration(before, middle)?.sql ?? '')
  await database.run(renameMigration(middle, after)?.sql ?? '')
  await database.run(`INSERT INTO "articles" ("headline") VALUES ('Third')`)
  expect(await database.rows('SELECT * FROM "my_view" ORDER BY "id"')).toEqual([
    { id: 1, shown: 'First' },
    { id: 2, shown: 'Second' },
    { id: 3, shown: 'Third' },
  ])
  expect(await database.rows('SELECT * FROM "log"')).toEqual([{ text: 'Third' }])
  expect(await database.rows('SELECT "mine" FROM "articles"')).toHaveLength(3)
  expect(await database.rows("SELECT name FROM pragma_index_info('my_index')")).toEqual([
    { name: 'headline' },
    { name: 'mine' },
  ])
  await database.stop()
})

test.each(dialects.map(({ kind }) => kind))(
  'a rename on %s mentions no dropped table or column',
  (kind) => {
    const before = blog(kind)
    for (const [from, to] of [
      ['Post', 'Zebra'],
      ['Post.title', 'headline'],
    ] as const) {
      const sql = renameMigration(before, renamed(before, from, to), dialectOf(kind))?.sql ?? ''
      expect(sql).not.toMatch(/DROP (TABLE|COLUMN)|CREATE TABLE|INSERT|UPDATE "/)
      expect(sql).toMatchSnapshot()
    }
  },
)

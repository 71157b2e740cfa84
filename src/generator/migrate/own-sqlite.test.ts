import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { migrate } from './migrate.ts'
import { replaySqlite } from './own-sqlite.ts'

const before = modelOf('sqlite', { Post: 'title:string,views:int' })
const retyped = modelOf('sqlite', { Post: 'title:text,views:float' })

/** Runs the emitted first migration, a person's own, and the next one on a database with two rows. */
async function changed(own: string, to = retyped, from = before) {
  const first = migrate(undefined, from)?.sql ?? ''
  const files = [
    { path: 'prisma/migrations/0001_first/migration.sql', sql: first },
    { path: 'prisma/migrations/0002_own/migration.sql', sql: own },
  ]
  const replay = await replaySqlite(files, from)
  onTestFinished(() => replay.close())
  const next = migrate(from, to, undefined, replay.own)?.sql ?? ''
  replay.apply(next)
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec(first + own)
  const insert = database.prepare('INSERT INTO posts (title, views, updated_at) VALUES (?, ?, ?)')
  for (const title of ['one', 'two']) insert.run(title, 1, '2026-01-01T00:00:00.000+00:00')
  return { database, migrate: () => database.exec(`PRAGMA foreign_keys = OFF;${next}`) }
}

describe('a rebuilt table', () => {
  test('keeps columns of own migrations with their values, checks and defaults', async () => {
    const { database, migrate } = await changed(`
      ALTER TABLE posts ADD COLUMN "rating" INTEGER DEFAULT 3 CHECK (rating > 0); -- mine, not yours
      ALTER TABLE posts ADD COLUMN [by whom] TEXT COLLATE NOCASE;
      ALTER TABLE posts ADD COLUMN double INTEGER AS (rating * 2) VIRTUAL;`)
    database.exec(`UPDATE posts SET rating = 5, "by whom" = 'a, b' WHERE title = 'two'`)
    migrate()
    expect(
      database.prepare('SELECT rating, "by whom", double FROM posts ORDER BY id').all(),
    ).toEqual([
      { rating: 3, 'by whom': null, double: 6 },
      { rating: 5, 'by whom': 'a, b', double: 10 },
    ])
    expect(database.prepare(`SELECT 1 FROM posts WHERE "by whom" = 'A, B'`).all()).toHaveLength(1)
    expect(() => database.exec('UPDATE posts SET rating = 0')).toThrow(/CHECK/)
  })

  test('keeps indexes, triggers and views of own migrations', async () => {
    const { database, migrate } = await changed(`
      CREATE TABLE changes (post_id INTEGER);
      CREATE INDEX mine ON posts (title, views DESC) WHERE views > 0;
      CREATE TRIGGER noted AFTER UPDATE ON posts BEGIN INSERT INTO changes VALUES (new.id); END;
      CREATE VIEW popular AS SELECT id, title FROM posts WHERE views > 0;`)
    migrate()
    database.exec(`UPDATE posts SET title = 'three' WHERE title = 'one'`)
    expect(database.prepare('SELECT * FROM changes').all()).toEqual([{ post_id: 1 }])
    expect(database.prepare('SELECT title FROM popular ORDER BY id').all()).toEqual([
      { title: 'three' },
      { title: 'two' },
    ])
    const plan = database.prepare(
      'EXPLAIN QUERY PLAN SELECT * FROM posts INDEXED BY mine WHERE views > 0',
    )
    expect(JSON.stringify(plan.all())).toContain('mine')
  })

  test('never gives the id of a deleted row again', async () => {
    const { database, migrate } = await changed('')
    database.exec('DELETE FROM posts')
    migrate()
    database.exec(`INSERT INTO posts (title, views, updated_at) VALUES ('new', 1, '2026')`)
    expect(database.prepare('SELECT id FROM posts').all()).toEqual([{ id: 3 }])
  })

  test('adds and drops columns in place where SQLite can', () => {
    const more = modelOf('sqlite', { Post: 'views:int,kind:enum(a|b):default=a' })
    expect(migrate(before, more)?.sql).toBe(`-- AlterTable
ALTER TABLE "posts" DROP COLUMN "title";
ALTER TABLE "posts" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'a';
`)
  })
})

test('refuses a change that an own object makes impossible', async () => {
  const dropped = modelOf('sqlite', { Post: 'views:int' })
  await expect(changed('CREATE INDEX mine ON posts (title);', dropped)).rejects.toThrow(
    /would fail on an object of your own migrations \(.*mine.*title.*\): drop or change that object/,
  )
})

test('names a migration that does not run', async () => {
  await expect(changed('CREATE INDEX mine ON nowhere (title);')).rejects.toThrow(
    /^prisma\/migrations\/0002_own\/migration.sql fails on an empty database/,
  )
})

import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../model/build.ts'
import type { Model } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { mendBranches } from './mend-branches.ts'
import { migrate } from './migrate.ts'
import type { MigrationFile } from './own-sqlite.ts'

const empty = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })

function posts(...fields: readonly string[]): Model {
  return withFeature(
    empty,
    createFeature({ entity: entityNames('Post'), ...parseFieldArgs(['title:string', ...fields]) }),
  )
}

function file(name: string, from: Model | undefined, to: Model): MigrationFile {
  return { path: `prisma/migrations/${name}/migration.sql`, sql: migrate(from, to)?.sql ?? '' }
}

/** Returns a database of one branch, with a row, after the other migrations in the order of their names. */
async function merged(ours: string, theirs: string, insert: string, side: 'ours' | 'theirs') {
  const base = posts()
  const branch = {
    shared: [file('0001_create_posts', undefined, base)],
    ours: [file('0002_change_posts_a', base, posts(ours))],
    theirs: [file('0002_change_posts_b', base, posts(theirs))],
    models: [base, posts(ours), posts(theirs)],
    merged: posts(ours, theirs),
  }
  const mends = await mendBranches(branch)
  const applied = [...branch.shared, ...branch[side]]
  const pending = [...branch.ours, ...branch.theirs, ...mends]
    .filter((each) => !applied.includes(each))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const database = new DatabaseSync(':memory:')
  for (const { sql } of applied) database.exec(sql)
  database.exec(insert)
  for (const { sql } of pending) database.exec(sql)
  return database
}

const views = 'views:uint'
const state = 'state:enum(new|done)'

test.each([
  ['ours', views, state, "INSERT INTO posts (title, views) VALUES ('a', 42)", 'views', 42],
  [
    'theirs',
    views,
    'state:string:default=new',
    "INSERT INTO posts (title, state) VALUES ('a', 'done')",
    'state',
    'done',
  ],
  [
    'ours',
    'views:uint:default=3',
    'at:datetime:default=now',
    "INSERT INTO posts (title, views) VALUES ('a', 42)",
    'views',
    42,
  ],
  [
    'theirs',
    'at:datetime:default=now',
    'views:uint:default=3',
    "INSERT INTO posts (title, views) VALUES ('a', 42)",
    'views',
    42,
  ],
] as const)(
  'a database of %s keeps its column: %s and %s',
  async (side, ours, theirs, insert, column, value) => {
    const other = side === 'ours' ? theirs : ours
    if (!other.includes('default'))
      return expect(merged(ours, theirs, insert, side)).rejects.toThrow(/NOT NULL/)
    const database = await merged(ours, theirs, insert, side)
    expect(database.prepare(`SELECT ${column} AS kept FROM posts`).all()).toEqual([{ kept: value }])
    const columns = database.prepare("SELECT name FROM pragma_table_info('posts')").all()
    const fresh = new DatabaseSync(':memory:')
    fresh.exec(migrate(undefined, posts(ours, theirs))?.sql ?? '')
    expect(columns).toEqual(fresh.prepare("SELECT name FROM pragma_table_info('posts')").all())
  },
)

test('branches that change different tables need no mending', async () => {
  const base = posts()
  const tag = createFeature({ entity: entityNames('Tag'), ...parseFieldArgs(['name:string']) })
  const both = withFeature(posts(views), tag)
  const mends = await mendBranches({
    shared: [file('0001_create_posts', undefined, base)],
    ours: [file('0002_change_posts', base, posts(views))],
    theirs: [file('0002_create_tags', base, withFeature(base, tag))],
    models: [base, posts(views), withFeature(base, tag)],
    merged: both,
  })
  expect(mends).toEqual([])
})

test('branches that both add a column of one name are refused', async () => {
  const base = posts()
  const optional = posts('note:text:optional')
  const branches = {
    shared: [file('0001_create_posts', undefined, base)],
    ours: [file('0002_change_posts_a', base, optional)],
    theirs: [file('0002_change_posts_b', base, optional)],
    models: [base, optional],
    merged: optional,
  }
  await expect(mendBranches(branches)).rejects.toThrow(/duplicate column name: note/)
})

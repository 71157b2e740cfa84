import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { packages } from '../../stores/emitted-app.ts'
import { addFeature, done, project } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { strata } from '../../support/generator/strata.ts'
import { hashTree } from '../../support/tree.ts'

const post = 'Post title:string author:string:optional tags:many(Tag)'

/** Applies the migrations as the app does, and adds rows. */
function start(root: string, rows: string): void {
  mkdirSync(join(root, 'data'), { recursive: true })
  const database = new DatabaseSync(join(root, 'data/app.db'))
  const migrations = join(root, 'prisma/migrations')
  database.exec(
    'CREATE TABLE IF NOT EXISTS _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)',
  )
  for (const name of readdirSync(migrations).sort()) {
    const path = join(migrations, name, 'migration.sql')
    if (!existsSync(path)) continue
    const sql = readFileSync(path, 'utf8')
    database.exec(sql)
    const checksum = createHash('sha256').update(sql).digest('hex')
    database
      .prepare('INSERT INTO _prisma_migrations VALUES (?, ?, ?, ?, NULL)')
      .run(name, checksum, name, 'now')
  }
  database.exec(rows)
  database.close()
}

async function linked(): Promise<string> {
  const root = await project('Tag name:string', post)
  symlinkSync(packages, join(root, 'node_modules'))
  return root
}

const rows = `
  INSERT INTO tags (name) VALUES ('a'), ('b');
  INSERT INTO posts (title, author) VALUES ('${'x'.repeat(90)}', 'Ann'), ('short', NULL), ('tiny', 'Ben');
  INSERT INTO _posts_tags VALUES (1, 1), (2, 1)`

/** Returns the lines that follow the plan. */
async function told(root: string, ...args: readonly string[]): Promise<readonly string[]> {
  const output = await done(root, ...args, '--dry-run', '--database')
  return output.slice(output.indexOf('configured database')).trim().split('\n').slice(1)
}

test.each(['prisma', 'kysely'])('a dry run asks the database of a %s project', async (orm) => {
  const root = await linked()
  if (orm === 'kysely') await done(root, 'store', 'sqlite', '--orm', orm, '--no-install')
  start(root, rows)
  const before = await hashTree(root)
  const needs = 'Without --dry-run, this change needs --allow-destructive.'
  expect(
    await told(root, 'feature', 'Post', '--add', 'title:string:max=80', 'author:string'),
  ).toEqual([
    "  1 of 3 posts has no author: the app can't start until they are changed",
    '  1 of 3 posts has a title longer than 80 characters, which stays, and is refused when it is written again',
    needs,
  ])
  expect(await told(root, 'remove', 'Post', '--allow-destructive')).toEqual([
    '  remove drops 3 rows of posts',
    '  remove drops 2 links of posts_tags',
  ])
  expect(await told(root, 'remove', 'Post')).toEqual(['  3 rows of posts stay in the store'])
  expect(await told(root, 'rename', 'Post', 'Article')).toEqual(['  rename keeps 3 rows of posts'])
  expect(await told(root, 'store', 'postgres')).toEqual([
    '  2 rows of tags stay in the store',
    '  3 rows of posts stay in the store',
  ])
  expect(await hashTree(root)).toEqual(before)
})

test('--json has the same facts, with their numbers', async () => {
  const root = await linked()
  start(root, rows)
  const args = ['feature', 'Post', '--drop', 'author', '--dry-run', '--database', '--json']
  expect(JSON.parse(await done(root, ...args)).database).toEqual({
    asked: true,
    facts: [
      {
        table: 'posts',
        columns: ['author'],
        count: 2,
        total: 3,
        complete: true,
        effect: 'lost',
        sentence: '2 of 3 posts have an author, which is lost',
      },
    ],
  })
})

test('a dry run says why the database could not be asked, and shows the plan', async () => {
  const root = await linked()
  const drop = ['feature', 'Post', '--drop', 'author', '--dry-run', '--database']
  expect(await done(root, ...drop)).toContain(
    'The database could not be asked: the app has not started on it yet, so it has no records.',
  )
  start(root, '')
  await addFeature(root, 'Book name:string')
  expect(await done(root, ...drop)).toMatch(
    /could not be asked: it has pending changes \(\d+_create_books\): start the app once/,
  )
  await done(root, 'store', 'postgres', '--no-install')
  writeFileSync(join(root, '.env'), '')
  const unset = await strata(root, drop, { env: { DATABASE_URL: '' } })
  expect(unset.stdout).toContain('The database could not be asked: DATABASE_URL is not set')
  writeFileSync(join(root, '.env'), 'DATABASE_URL=postgres://me:hidden@127.0.0.1:9/app\n')
  const { stdout, code } = await strata(root, drop)
  expect(code).toBe(0)
  expect(stdout).toContain('edit    src/domain/post.ts')
  expect(stdout).toMatch(
    /could not be asked: .*ECONNREFUSED.*: start its server, or check DATABASE_URL/,
  )
  expect(stdout).not.toContain('hidden')
})

test('--database needs --dry-run', async () => {
  const root = await project('Tag name:string')
  const [line] = await refused(root, ['feature', 'Tag', '--add', 'a:int:optional', '--database'], 2)
  expect(line).toBe('error: --database needs --dry-run: add it')
})

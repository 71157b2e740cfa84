import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { hash } from 'bcrypt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { copiedKinds } from '../../../src/generator/copy/copied-kinds.ts'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { packages, runStrata } from '../../stores/emitted-app.ts'
import type { Kind } from '../../stores/kinds/kind.ts'
import { startKind } from '../../stores/kinds/kinds.ts'
import { bootApp } from '../../support/apps/boot.ts'
import { eventually } from '../../support/apps/eventually.ts'
import { setup as buildStrata } from '../../support/generator/build.ts'
import { ended, start, strata } from '../../support/generator/strata.ts'
import { withClient } from '../../support/postgres.ts'

// One project moves through all kinds, so each kind is read and written, and most moves are from server to server.

const post =
  'Post title:string body:text:optional price:decimal(12,4):optional ratio:float:optional day:date:optional seen:datetime:optional extra:json:optional kind:enum(a|b) token:uuid:unique:optional live:bool delta:int views:uint author_id:uint:fk(User):optional tags:many(Tag) --search title,body --protect none'
const features = [
  'Tag name:string slug:string:unique --protect none',
  post,
  'Comment post_id:uint:fk:cascade text:text parent_id:uint:fk(Comment):optional --protect none',
  'Profile user_id:uint:fk:unique bio:text:optional --protect none',
]

interface Move {
  readonly kind: StoreKind
  readonly orm?: 'kysely'
  /** Kills the copy in the middle, and continues it. */
  readonly isKilled?: true
}

const route: readonly Move[] = [
  { kind: 'postgres', isKilled: true },
  { kind: 'mysql', isKilled: true },
  { kind: 'mongodb', isKilled: true },
  { kind: 'elasticsearch', isKilled: true },
  { kind: 'dynamodb', isKilled: true },
  { kind: 'postgres-json', isKilled: true },
  { kind: 'sqlite' },
  { kind: 'postgres', orm: 'kysely', isKilled: true },
  { kind: 'sqlite', orm: 'kysely' },
]

const ownMigration = {
  path: 'prisma/migrations/0099_mine/migration.sql',
  sql: 'CREATE TABLE notes (text TEXT);\nCREATE INDEX tags_mine ON tags (name);\n',
}
const [postCount, tagCount] = [500, 30]
const password = 'a long password'
const fillProgram = fileURLToPath(new URL('fill-edges.mjs', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'strata-copy-'))
const filled = join(folder, 'filled')

beforeAll(async () => {
  buildStrata()
  await runStrata(folder, ['init', 'filled', '--auth', '--no-install', '--no-git'])
  for (const line of features) await runStrata(filled, ['feature', ...line.split(' ')])
  mkdirSync(dirname(join(filled, ownMigration.path)))
  writeFileSync(join(filled, ownMigration.path), ownMigration.sql)
  link(filled)
  await generateCode(filled)
  const args = ['--import', 'tsx', fillProgram, String(postCount), await hash(password, 4)]
  await promisify(execFile)(process.execPath, args, { cwd: filled })
  mkdirSync(join(filled, 'data/uploads'))
  writeFileSync(join(filled, 'data/uploads/cat.png'), 'not a cat')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a project that moves from store to store with its data', () => {
  const root = join(folder, 'moving')
  let expected: readonly unknown[]
  let rows: Rows
  let moves = 0
  /** The server of the current store. It runs until the project has left the store. */
  let server: Kind | undefined

  beforeAll(async () => {
    copyProject(root)
    rows = await rowsOf(root, 'file:./data/app.db')
    expected = await served(root, answers)
  })
  afterAll(() => server?.stop())

  test('visits every kind that --copy supports', () => {
    expect(new Set(route.map(({ kind }) => kind))).toEqual(new Set(copiedKinds))
  })

  test.for(route)('keeps its records on $kind $orm', async (move, context) => {
    const { kind, orm, isKilled } = move
    const next = kind === 'sqlite' ? undefined : await startKind(kind)
    if (next && 'skipped' in next) return context.skip(next.skipped)
    const former = urlOf(root)
    const url = (await next?.freshDatabase()) ?? `file:./data/app-${moves}.db`
    const args = ['store', kind, ...(orm ? ['--orm', orm] : []), '--copy', '--to', url]
    if (isKilled) await killInTheMiddle(root, [...args, '--no-install'])
    const { code, stdout, stderr } = await strata(root, [...args, '--no-install'])
    expect(code, stderr).toBe(0)
    await server?.stop()
    server = next
    expect(existsSync(join(root, '.strata/copy'))).toBe(false)
    for (const each of [former, url].filter((each) => each.startsWith('file:')))
      expectSameRows(await rowsOf(root, each), rows)
    // The new store has no counterpart of the person's own migration and its table. SQLite gets the migration again.
    expect(existsSync(join(root, ownMigration.path))).toBe(kind === 'sqlite')
    if (moves === 0) {
      expect(stdout).toContain('0099_mine/migration.sql')
      expect(stdout).toContain('Not copied, as the model does not have them: notes.')
    }
    moves += 1
    await served(root, async (call) => {
      expect(await answers(call)).toEqual(expected)
      await expectNextIds(call, moves)
    })
    expect(readFileSync(join(root, 'data/uploads/cat.png'), 'utf8')).toBe('not a cat')
  })
})

describe('a copy that is refused', () => {
  let store: Kind | { skipped: string }
  beforeAll(async () => {
    store = await startKind('postgres')
  })
  afterAll(() => ('skipped' in store ? undefined : store.stop()))

  test('names the records that the new store cannot hold, and writes nothing', async (context) => {
    if ('skipped' in store) return context.skip(store.skipped)
    const root = copyOfFilled('unholdable')
    const client = createClient({ url: `file:${join(root, 'data/app.db')}` })
    const email = `${'a'.repeat(250)}@b.cd`
    await client.execute({ sql: 'UPDATE users SET email = ? WHERE id = 3', args: [email] })
    await client.execute({ sql: 'UPDATE tags SET name = ? WHERE id = 9', args: ['a'.repeat(256)] })
    const url = await store.freshDatabase()
    const refused = await moveRefused(root, ['postgres', '--copy', '--to', url])
    for (const each of [
      "postgres can't hold 2 values, so nothing was copied",
      'tags 9: name has 256 characters, more than 255',
      'users 3: email has 255 characters, more than 254',
    ])
      expect(refused).toContain(each)
    const { rows } = await withClient(url, (to) => to.query('SELECT id FROM tags'))
    expect(rows).toEqual([])

    await client.execute("UPDATE users SET email = 'a@b.cd' WHERE id = 3")
    await client.execute("UPDATE tags SET name = 'a' WHERE id = 9")
    await client.execute("UPDATE posts SET price = 'many' WHERE id = 10")
    client.close()
    const unreadable = await moveRefused(root, ['postgres', '--copy', '--to', url])
    expect(unreadable).toContain("the old store: posts: record 10 can't be read")
  })

  test('needs an empty store', async (context) => {
    if ('skipped' in store) return context.skip(store.skipped)
    const root = copyOfFilled('not-empty')
    const url = await store.freshDatabase()
    await killInTheMiddle(root, ['store', 'postgres', '--copy', '--to', url, '--no-install'])
    rmSync(join(root, '.strata/copy'), { recursive: true })
    const refused = await moveRefused(root, ['postgres', '--copy', '--to', url])
    expect(refused).toContain('the new store has records in users')
  })

  test('needs a store that answers', async () => {
    const root = copyOfFilled('unreachable')
    const refused = await moveRefused(root, [
      'mongodb',
      '--copy',
      '--to',
      'mongodb://127.0.0.1:9/a',
    ])
    expect(refused).toContain('error: the new store: ')
    expect(refused).toContain('The project stays on sqlite')
  })

  test('needs a URL of the kind', async () => {
    const root = copyOfFilled('wrong-url')
    const refused = await moveRefused(root, ['mysql', '--copy', '--to', 'postgres://127.0.0.1/a'])
    expect(refused).toContain('error: --to must be')
  })
})

function copyOfFilled(name: string): string {
  const root = join(folder, name)
  copyProject(root)
  return root
}

/** Runs a move that fails. Returns the standard error. */
async function moveRefused(root: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await ended(start(root, ['store', ...args, '--no-install']))
  expect({ code, stdout }).toEqual({ code: expect.any(Number), stdout: '' })
  expect(code).not.toBe(0)
  expect(databaseOf(root)).toBe('sqlite')
  return stderr
}

/** Kills the copy after its first batch of records. */
async function killInTheMiddle(root: string, args: readonly string[]): Promise<void> {
  const former = databaseOf(root)
  const running = start(root, args)
  const end = ended(running)
  const state = join(root, '.strata/copy/state.json')
  const hasCopied = () => existsSync(state) && /"posts":\d/.test(readFileSync(state, 'utf8'))
  await eventually(async () => hasCopied() || running.exitCode !== null, 120_000, 5)
  running.kill('SIGKILL')
  expect(await end).toMatchObject({ code: null })
  expect(databaseOf(root)).toBe(former)
}

const reply = z.looseObject({ id: z.int().optional() })

type Call = (
  path: string,
  body?: object,
  method?: string,
) => Promise<{ status: number; body: z.infer<typeof reply> }>

/** Starts the app of the project on its store. */
async function served<Result>(root: string, use: (call: Call) => Promise<Result>): Promise<Result> {
  await generateCode(root)
  const argv = [process.execPath, '--import', 'tsx', 'src/main.ts']
  const app = await bootApp({ folder: root, argv, env: { DATABASE_URL: urlOf(root) } })
  try {
    return await use(async (path, body, method = body ? 'POST' : 'GET') => {
      const response = await fetch(`${app.baseUrl}/api/v1/${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      })
      const text = await response.text()
      return { status: response.status, body: reply.parse(text === '' ? {} : JSON.parse(text)) }
    })
  } finally {
    await app.stop()
  }
}

/** Logs in, and returns the answers of the app: records with their relations and parts, found in several ways. */
async function answers(call: Call): Promise<readonly unknown[]> {
  const login = await call('auth/login', { email: 'ann0@example.com', password })
  expect(login.status).toBe(200)
  const { body: found } = await call('posts/5')
  expect(found).toMatchObject({ id: 5, price: '-99999999.9999', extra: [] })
  const paths = [
    ...[5, 6, 8, 9, 21, 300].map((id) => `posts/${id}`),
    ...['posts?page_size=100', 'posts?search=SINGLE&page_size=30', 'posts?search=%C4%B0STANBUL'],
    ...['posts?tag=tag-5&page_size=30', 'posts?author_id=3', 'comments?page_size=100'],
    ...['profiles', 'comments?parent_id=5'],
  ]
  const replies: unknown[] = []
  for (const path of paths) {
    const { status, body } = await call(path)
    expect({ path, status }).toEqual({ path, status: 200 })
    replies.push({ path, body })
  }
  return replies
}

/** Adds records: their ids follow the greatest ids that were ever used, also those of removed records. */
async function expectNextIds(call: Call, moves: number): Promise<void> {
  const { body: tag } = await call('tags', { name: 'Added', slug: `added-${moves}` })
  const { body: comment } = await call('comments', { post_id: 5, text: 'added' })
  expect([tag.id, comment.id]).toEqual([tagCount + moves, postCount + moves])
  const removed = await call(`comments/${comment.id}`, undefined, 'DELETE')
  expect(removed.status).toBe(204)
}

type Rows = Readonly<Record<string, readonly Record<string, unknown>[]>>

/** Returns all rows of all tables, sorted by their first columns, but no tags that the test has added. */
async function rowsOf(root: string, url: string): Promise<Rows> {
  const tables = ['users', 'tags', 'posts', 'comments', 'profiles', '_posts_tags']
  const client = createClient({ url: `file:${join(root, url.slice('file:'.length))}` })
  const rows = tables.map(async (table) => {
    const { rows } = await client.execute(`SELECT * FROM ${table} ORDER BY 1, 2`)
    const parsed = rows.map((row) => ({ ...row, extra: parsedOf(row.extra) }))
    return [table, table === 'tags' ? parsed.slice(0, tagCount) : parsed] as const
  })
  const all = Object.fromEntries(await Promise.all(rows))
  client.close()
  return all
}

/** PostgreSQL sorts the keys of JSON. */
function parsedOf(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : json
}

/** Reports the first row that differs, not all of them. */
function expectSameRows(found: Rows, expected: Rows): void {
  for (const [table, rows] of Object.entries(expected)) {
    expect(found[table]?.length, table).toBe(rows.length)
    for (const [at, row] of rows.entries()) expect(found[table]?.[at], table).toEqual(row)
  }
}

function databaseOf(root: string): unknown {
  return JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).database
}

function urlOf(root: string): string {
  return parseEnv(readFileSync(join(root, '.env'), 'utf8')).DATABASE_URL ?? 'file:./data/app.db'
}

/** Generates Prisma's client, if the store of the project uses Prisma. */
async function generateCode(root: string): Promise<void> {
  await promisify(execFile)('npm', ['run', 'generate', '--if-present'], { cwd: root })
}

function copyProject(root: string): void {
  cpSync(filled, root, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  link(root)
}

function link(root: string): void {
  symlinkSync(packages, join(root, 'node_modules'))
}

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
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { hash } from 'bcrypt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { copiedKinds } from '../../../src/generator/copy/copied-kinds.ts'
import { packages, runStrata } from '../../stores/emitted-app.ts'
import { startKind } from '../../stores/kinds/kinds.ts'
import { bootApp } from '../../support/apps/boot.ts'
import { eventually } from '../../support/apps/eventually.ts'
import { setup as buildStrata } from '../../support/generator/build.ts'
import { ended, start } from '../../support/generator/strata.ts'

// From SQLite to each kind, and back. store-moves.full.test.ts moves from server to server, and with Kysely.

const post =
  'Post title:string body:text:optional price:decimal(12,4):optional ratio:float:optional day:date:optional seen:datetime:optional extra:json:optional kind:enum(a|b) token:uuid:unique:optional live:bool delta:int author_id:uint:fk(User):optional tags:many(Tag) --search title,body --protect none'
const features = [
  'Tag name:string slug:string:unique --protect none',
  post,
  'Comment post_id:uint:fk:cascade text:text parent_id:uint:fk(Comment):optional --protect none',
]
const copied = copiedKinds.filter((kind) => kind !== 'sqlite')
const postCount = 1_000
const password = 'a long password'
const fillProgram = fileURLToPath(new URL('fill-records.mjs', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'strata-copy-'))
const filled = join(folder, 'filled')

beforeAll(async () => {
  buildStrata()
  await runStrata(folder, ['init', 'filled', '--auth', '--no-install', '--no-git'])
  for (const line of features) await runStrata(filled, ['feature', ...line.split(' ')])
  link(filled)
  await generateCode(filled)
  const args = ['--import', 'tsx', fillProgram, String(postCount), await hash(password, 4)]
  await promisify(execFile)(process.execPath, args, { cwd: filled })
  mkdirSync(join(filled, 'data/uploads'))
  writeFileSync(join(filled, 'data/uploads/cat.png'), 'not a cat')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(copied)('strata store %s --copy', (kind) => {
  test('moves 1,000 records there and back, killed in the middle and continued', async (context) => {
    const store = await startKind(kind)
    if ('skipped' in store) return context.skip(store.skipped)
    const root = join(folder, kind)
    try {
      cpSync(filled, root, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
      link(root)
      const url = await store.freshDatabase()
      await moveInterrupted(root, [kind, '--to', url])
      expect(existsSync(join(root, '.strata/copy'))).toBe(false)
      expect(await rowsOf(join(root, 'data/app.db'))).toEqual(
        await rowsOf(join(filled, 'data/app.db')),
      )
      const added = await useApp(root)
      expect(added.id).toBe(31)

      await runStrata(root, [
        'store',
        'sqlite',
        '--copy',
        '--to',
        'file:./data/back.db',
        '--no-install',
      ])
      const [before, after] = [
        await rowsOf(join(filled, 'data/app.db')),
        await rowsOf(join(root, 'data/back.db')),
      ]
      expect(after.tags?.at(-1)).toMatchObject({ id: 31, slug: 'added' })
      expect({ ...after, tags: after.tags?.slice(0, -1) }).toEqual(before)
      expect(readFileSync(join(root, 'data/uploads/cat.png'), 'utf8')).toBe('not a cat')
      expect(await lastIdsOf(join(root, 'data/back.db'))).toEqual({
        ...(await lastIdsOf(join(filled, 'data/app.db'))),
        tags: 31,
      })
    } finally {
      await store.stop()
    }
  })
})

test('a copy to a store that does not answer leaves the project on the old store', async () => {
  const root = join(folder, 'unreachable')
  cpSync(filled, root, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  link(root)
  const args = ['store', 'mongodb', '--copy', '--to', 'mongodb://127.0.0.1:9/app', '--no-install']
  const { code, stderr, stdout } = await ended(start(root, args))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error: the new store: ')
  expect(stderr).toContain('The project stays on sqlite')
  expect(JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).database).toBe('sqlite')
})

/** Kills the copy after its first batch of records, and continues it. */
async function moveInterrupted(root: string, args: readonly string[]): Promise<void> {
  const all = ['store', ...args, '--copy', '--no-install']
  const running = start(root, all)
  const end = ended(running)
  const state = join(root, '.strata/copy/state.json')
  const hasCopied = () => existsSync(state) && /"tags":\d/.test(readFileSync(state, 'utf8'))
  await eventually(async () => hasCopied() || running.exitCode !== null, 120_000, 5)
  running.kill('SIGKILL')
  expect(await end).toMatchObject({ code: null })
  expect(JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).database).toBe('sqlite')
  await runStrata(root, all)
}

const reply = z.looseObject({
  id: z.int().optional(),
  total: z.int().optional(),
  tags: z.array(z.object({ id: z.int() })).optional(),
})

/** Logs in, reads a post with its relations, finds it by its text, and adds a tag. Returns the tag. */
async function useApp(root: string): Promise<{ id?: number | undefined }> {
  await generateCode(root)
  const env = /^DATABASE_URL=(.*)$/m.exec(readFileSync(join(root, '.env'), 'utf8'))
  const argv = [process.execPath, '--import', 'tsx', 'src/main.ts']
  const app = await bootApp({ folder: root, argv, env: { DATABASE_URL: env?.[1] } })
  const call = async (path: string, body?: object) => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    const response = await fetch(`${app.baseUrl}/api/v1/${path}`, init)
    return { status: response.status, body: reply.parse(await response.json()) }
  }
  try {
    const login = await call('auth/login', { email: 'ann0@example.com', password })
    expect(login.status).toBe(200)
    const { body: found } = await call('posts/5')
    expect(found).toMatchObject({ id: 5, price: '4.0004', day: '1904-02-28', extra: { n: 1e21 } })
    expect(found.tags?.map(({ id }) => id)).toEqual([6])
    const { body: searched } = await call('posts?search=SINGLE')
    expect(searched.total).toBe(postCount - 2)
    return (await call('tags', { name: 'Added', slug: 'added' })).body
  } finally {
    await app.stop()
  }
}

/** Returns all rows of all tables, sorted by their first columns. */
async function rowsOf(file: string): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = ['users', 'tags', 'posts', 'comments', '_posts_tags']
  const client = createClient({ url: `file:${file}` })
  const rows = tables.map(async (table) => {
    const result = await client.execute(`SELECT * FROM ${table} ORDER BY 1, 2`)
    return [table, result.rows.map((row) => ({ ...row, extra: parsedOf(row.extra) }))] as const
  })
  const all = Object.fromEntries(await Promise.all(rows))
  client.close()
  return all
}

/** PostgreSQL sorts the keys of JSON. */
function parsedOf(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : json
}

async function lastIdsOf(file: string): Promise<Record<string, unknown>> {
  const client = createClient({ url: `file:${file}` })
  const { rows } = await client.execute('SELECT name, seq FROM sqlite_sequence')
  client.close()
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), seq]))
}

/** Generates Prisma's client, if the store of the project uses Prisma. */
async function generateCode(root: string): Promise<void> {
  await promisify(execFile)('npm', ['run', 'generate', '--if-present'], { cwd: root })
}

function link(root: string): void {
  symlinkSync(packages, join(root, 'node_modules'))
}

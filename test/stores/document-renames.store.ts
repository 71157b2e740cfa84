import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { availableKinds, storeOf } from '../../src/generator/stores/stores.ts'
import { jsonOf, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp } from '../support/apps/boot.ts'
import { freePort } from '../support/free-port.ts'
import { built, emitApp, npm, runStrata } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'

// The migration tests cover the kinds with tables.
const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const isDocument = storeOf(kind).adapter === 'document'
const store = isDocument ? await startKind(kind) : { skipped: 'this kind renames by migrations' }

const features = [
  'Tag name:string slug:string:unique',
  'Post title:string code:string:unique price:decimal(8,2):optional live:bool:default=true parent_id:uint:fk(Post):optional tags:many(Tag) --search=title --unique=title,live',
  'Comment post_id:uint:fk:cascade text:text',
]

const renames = [
  ['Post', 'Article'],
  ['Article.title', 'headline'],
  ['Article.code', 'number'],
  ['Article.price', 'cost'],
  ['Article.parent_id', 'above_id'],
  ['Article.tags', 'labels'],
]

if ('skipped' in store) {
  const { skipped } = store
  test('renames of stored records', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`on ${store.name}`, () => describeRenames(store))

function describeRenames(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-renames-${kind}-`))
  const postCount = 24
  let root: string
  let url: string

  beforeAll(async () => {
    root = await emitApp(folder, kind, features)
    url = await store.freshDatabase()
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('every record keeps its values, links and claims, although starts are killed and two processes start at once', async () => {
    const before = await served(async (app) => {
      for (const slug of ['one', 'two']) await add(app, 'tags', { name: slug, slug })
      for (let at = 1; at <= postCount; at += 1) {
        const parent = at > 1 && { parent_id: at - 1 }
        const values = { title: `Title ${at}`, code: `c${at}`, price: `${at}.50`, tags: ['one'] }
        await add(app, 'posts', { ...values, live: at % 2 === 0, ...parent })
      }
      await add(app, 'comments', { post_id: 7, text: 'hello' })
      expect((await list(app, 'posts?search=title%207')).length).toBe(1)
      return list(app, 'posts?page_size=100')
    })

    for (const [from = '', to = ''] of renames) await runStrata(root, ['rename', from, to])
    await npm(root, ['run', 'build'])
    for (const delayMs of [250, 400, 550, 700, 850]) await killedAfter(delayMs)
    const apps = await Promise.all([boot(), boot()])
    try {
      for (const app of apps) await checkRenamed(app, before)
    } finally {
      await Promise.all(apps.map((app) => app.stop()))
    }
    const again = await boot()
    expect(await list(again, 'articles?page_size=100')).toHaveLength(postCount + 2)
    await again.stop()
  })

  async function checkRenamed(app: BootedApp, before: readonly Item[]): Promise<void> {
    const after = await list(app, 'articles?page_size=100&sort=id')
    const old = before.toSorted((a, b) => a.id - b.id)
    const kept = after.filter(({ id }) => id <= postCount).sort((a, b) => a.id - b.id)
    expect(kept.map(withPreviousNames)).toEqual(old.map((each) => pick(each)))
    expect(await list(app, 'articles?search=TITLE%207')).toHaveLength(1)
    expect(await list(app, 'articles?cost%5Bgte%5D=24.25')).toMatchObject([{ id: 24 }])
    expect(await list(app, 'articles?label=one')).not.toHaveLength(0)
    expect(await list(app, 'comments?article_id=7')).toMatchObject([
      { article_id: 7, text: 'hello' },
    ])
    const taken = { headline: 'Other', number: 'c7', cost: '1.00' }
    const method = 'POST'
    expect((await send(app, { method, path: '/api/v1/articles', json: taken })).status).toBe(409)
    const own = { headline: app.baseUrl, number: app.baseUrl }
    const { id } = await add(app, 'articles', { ...taken, ...own })
    expect(id).toBeGreaterThan(postCount)
    const removal = { method: 'DELETE', path: '/api/v1/articles/7' }
    expect((await send(app, removal)).status).toBe(409)
  }

  async function killedAfter(delayMs: number): Promise<void> {
    const [command, ...args] = built
    const env = { ...process.env, DATABASE_URL: url, PORT: String(await freePort()) }
    const child = spawn(command, args, { cwd: root, env, stdio: 'ignore' })
    const closed = once(child, 'close')
    await pause(delayMs)
    child.kill('SIGKILL')
    await closed
  }

  function boot(): Promise<BootedApp> {
    return bootApp({ folder: root, argv: built, env: { DATABASE_URL: url } })
  }

  async function served<Result>(use: (app: BootedApp) => Promise<Result>): Promise<Result> {
    const app = await boot()
    try {
      return await use(app)
    } finally {
      await app.stop()
    }
  }
}

const item = z.looseObject({ id: z.number() })

type Item = z.infer<typeof item>

async function add(app: BootedApp, path: string, json: object): Promise<Item> {
  const reply = await send(app, { method: 'POST', path: `/api/v1/${path}`, json })
  expect(reply.status, reply.text).toBe(201)
  return item.parse(jsonOf(reply))
}

async function list(app: BootedApp, path: string): Promise<readonly Item[]> {
  const reply = await send(app, { path: `/api/v1/${path}` })
  expect(reply.status, reply.text).toBe(200)
  const [name = ''] = path.split('?')
  return z.array(item).parse(z.looseObject({}).parse(jsonOf(reply))[name])
}

const compared = ['id', 'title', 'code', 'price', 'live', 'parent_id', 'created_at'] as const

function pick(record: Item): object {
  return Object.fromEntries(compared.map((name) => [name, record[name]]))
}

function withPreviousNames({ headline, number, cost, above_id, ...others }: Item): object {
  return pick({ ...others, title: headline, code: number, price: cost, parent_id: above_id })
}

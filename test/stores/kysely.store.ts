import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ormKinds } from '../../src/generator/model/store-kinds.ts'
import { availableKinds } from '../../src/generator/stores/stores.ts'
import { describeCommon, describeUsers } from '../apps/suite/describe.ts'
import { jsonOf, type Reply, send } from '../apps/suite/http.ts'
import { userContract } from '../apps/suite/users.ts'
import { atMost } from '../support/apps/at-most.ts'
import { type BootedApp, bootApp } from '../support/apps/boot.ts'
import { launcherOf, type Program } from '../support/apps/launcher.ts'
import { built, emitApp, npm, runOwnTests, runStrata } from './emitted-app.ts'
import { emitExample } from './kinds/emit-example.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'
import { preparedOnce } from './kinds/prepared-once.ts'
import { processChecksOf } from './kinds/process-checks.ts'

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = ormKinds.kysely.includes(kind)
  ? await startKind(kind)
  : { skipped: `kysely is not available for ${kind}` }

/** A label, a tree of categories, products with every type of field, and their parts. */
const features = [
  'Label name:string slug:string:unique',
  'Category name:string parent_id:uint:fk(Category):optional',
  [
    'Product name:string:index category_id:uint:fk labels:many(Label) made:date seen:datetime:optional price:decimal(10,2)',
    'stock:int:default=-1 rate:float:optional sold_out:bool:default=false code:uuid:optional contact:email:optional:unique',
    'state:enum(new|old):default=new meta:json extra:json:optional note:text:optional --search=name,note',
  ].join(' '),
  'OrderLine product_id:uint:fk:cascade count:uint:min=1 day:date:optional',
]

if ('skipped' in store) {
  const { skipped } = store
  test('queries by Kysely', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`Kysely on ${store.name}`, () => describeKysely(store))

function describeKysely(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-kysely-${kind}-`))
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('the user application', () => {
    let program: Program
    let app: BootedApp
    beforeAll(async () => {
      program = await emitExample(folder, kind, 'user-app', ['--orm', 'kysely'])
      app = await bootApp({ ...program, env: { DATABASE_URL: await store.freshDatabase() } })
    })
    afterAll(() => app?.stop())

    describeCommon(preparedOnce(userContract), () => app)
    describeUsers(() => app)

    describe('as a process', () => {
      const inTurn = atMost(3)
      for (const { title, run, skipped } of processChecksOf('user', store)) {
        test.concurrent(title, (context) => {
          if (skipped !== undefined) {
            context.task.meta.reason = skipped
            return context.skip(skipped)
          }
          return inTurn(async () => {
            const env = { DATABASE_URL: await store.freshDatabase() }
            await run(launcherOf({ ...program, env }, async () => folder))
          })
        })
      }
    })
  })

  describe('a project that switches from Prisma to Kysely and back', () => {
    let root: string
    let url: string
    beforeAll(async () => {
      root = await emitApp(folder, kind, features)
      url = await store.freshDatabase()
    })

    test('keeps its records, and gives the same answers', async () => {
      await served(createRecords)
      const before = await served(answers)
      expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
      for (const orm of ['kysely', 'prisma']) {
        await runStrata(root, ['store', kind, '--orm', orm, '--no-install'])
        await npm(root, ['run', 'build'])
        expect(await served(answers)).toEqual(before)
      }
    })

    test('passes its own tests with Kysely', async () => {
      await runStrata(root, ['store', kind, '--orm', 'kysely', '--no-install'])
      const TEST_DATABASE_URL = await store.freshDatabase()
      const { passed, failed } = await runOwnTests(root, 'check', { TEST_DATABASE_URL })
      expect(failed).toEqual([])
      expect(passed.filter((title) => title.includes(`in '${kind}'`))).not.toEqual([])
    })

    async function served<Result>(use: (app: BootedApp) => Promise<Result>): Promise<Result> {
      const app = await bootApp({ folder: root, argv: built, env: { DATABASE_URL: url } })
      try {
        return await use(app)
      } finally {
        await app.stop()
      }
    }
  })
}

async function createRecords(app: BootedApp): Promise<void> {
  for (const slug of ['a', 'b']) await create(app, 'labels', { name: `Label ${slug}`, slug })
  await create(app, 'categories', { name: 'Root' })
  await create(app, 'categories', { name: 'Leaf', parent_id: 1 })
  await create(app, 'products', {
    ...{ name: 'Straße 100%', category_id: 2, labels: ['b', 'a'], made: '2026-02-28' },
    ...{ seen: '2026-02-28T23:59:59.999Z', price: '0.10', rate: 1e-7, sold_out: true },
    ...{ code: 'b5ff0a1f-3f0c-4c4f-9d7e-1c1b2d3e4f5a', contact: 'a@example.com', state: 'old' },
    ...{ meta: { a: [1, 'it\'s "so"', null] }, extra: null, note: 'Ärger' },
  })
  await create(app, 'products', {
    ...{ name: 'Plain', category_id: 1, labels: [], made: '1999-12-31', price: '99999999.99' },
    meta: 9007199254740991,
  })
  for (const count of [1, 2, 3]) await create(app, 'order-lines', { product_id: 1, count })
}

async function create(app: BootedApp, path: string, json: object): Promise<void> {
  const reply = await send(app, { method: 'POST', path: `/api/v1/${path}`, json })
  expect(reply.status, reply.text).toBe(201)
}

const queries = [
  ...[
    'products/1',
    'products/2',
    'categories/2',
    'labels',
    'categories',
    'order-lines?page_size=2',
  ],
  ...['sort=name', 'sort=-name', 'price[gt]=0.1', 'price[lte]=0.1', 'made[gte]=2000-01-01'],
  ...['seen[lt]=2026-03-01T00:00:00Z', 'rate[gt]=0', 'sold_out=true', 'state=new'],
  ...['label=a', 'category_id=2', 'search=STRASSE', 'search=STRAßE', 'search=%', 'search=ärger'],
].map((query) => (query.includes('=') && !query.includes('?') ? `products?${query}` : query))

/** Returns the answers to all queries: status, ETag and body. */
async function answers(app: BootedApp) {
  const replies: Reply[] = []
  for (const query of queries)
    replies.push(await send(app, { path: encodeURI(`/api/v1/${query}`) }))
  return replies.map((reply, i) => ({
    query: queries[i],
    status: reply.status,
    etag: reply.headers.etag,
    body: jsonOf(reply),
  }))
}

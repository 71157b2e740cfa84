import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp } from '../support/apps/boot.ts'
import { setup as buildStrata } from '../support/generator/build.ts'
import { built, emitApp, npm, runStrata } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startMongodb } from './kinds/mongodb.ts'

// Only behavior specific to MongoDB. `npm run test:stores` checks the behavior that all kinds share.

const store = await startMongodb()

if ('skipped' in store) test.skip(`an emitted app on MongoDB: ${store.skipped}`)
else describe('an emitted app on MongoDB', () => describeApp(store))

function describeApp(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), 'strata-mongodb-'))
  let root: string

  beforeAll(async () => {
    buildStrata()
    root = await emitApp(folder, 'mongodb', ['Product code:string:unique price:int:index'])
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test("drops its own stale indexes and keeps a user's indexes", async () => {
    const url = await store.freshDatabase()
    await start(url)
    await withProducts(url, (products) =>
      products.createIndexes([
        { name: 'reporting_price_idx', key: { price: 1, code: 1 } },
        { name: 'lookup_key', key: { code: 1, price: 1 } },
      ]),
    )
    await start(url)
    const own = ['_id_', 'created_at_id_idx', 'code_id_idx', 'code_key', 'price_id_idx']
    const foreign = ['lookup_key', 'reporting_price_idx']
    expect(await indexNames(url)).toEqual([...own, ...foreign].toSorted())

    await runStrata(root, ['feature', 'Product', 'code:string', 'price:int'])
    await npm(root, ['run', 'build'])
    await start(url)
    expect(await indexNames(url)).toEqual(['_id_', 'created_at_id_idx', ...foreign].toSorted())
  })

  /** Starts the app, which updates the store, and stops it. */
  async function start(url: string): Promise<void> {
    const app = await bootApp({ folder: root, argv: built, env: { DATABASE_URL: url } })
    await app.stop()
  }
}

function indexNames(url: string): Promise<readonly string[]> {
  return withProducts(url, async (products) =>
    (await products.indexes()).flatMap(({ name }) => name ?? []).toSorted(),
  )
}

async function withProducts<Result>(
  url: string,
  use: (products: ReturnType<ReturnType<MongoClient['db']>['collection']>) => Promise<Result>,
): Promise<Result> {
  const client = await new MongoClient(url).connect()
  try {
    return await use(client.db().collection('products'))
  } finally {
    await client.close()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@elastic/elasticsearch'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Reply, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp, runToExit } from '../support/apps/boot.ts'
import { setup as buildStrata } from '../support/generator/build.ts'
import { built, emitApp, npm, runStrata } from './emitted-app.ts'
import { startElasticsearch } from './kinds/elasticsearch.ts'
import type { Kind } from './kinds/kind.ts'

// Only behavior specific to Elasticsearch. `npm run test:stores` checks the behavior that all kinds share.

const store = await startElasticsearch()

if ('skipped' in store) test.skip(`an emitted app on Elasticsearch: ${store.skipped}`)
else describe('an emitted app on Elasticsearch', () => describeApp(store))

function describeApp(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), 'strata-elasticsearch-'))
  let root: string

  beforeAll(async () => {
    buildStrata()
    root = await emitApp(folder, 'elasticsearch', [
      'Book title:string code:string:unique pages:int',
    ])
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('creates its indexes once if several processes start at the same time', async () => {
    const url = await store.freshDatabase()
    const apps = await Promise.all([boot(url), boot(url), boot(url)])
    for (const [at, app] of apps.entries()) expect((await book(app, `${at}`)).status).toBe(201)
    expect(indexesOf(url, await store.contents(url))).toEqual([
      '_counters-1',
      '_unique-1',
      'books-1',
    ])
  })

  test('accepts a unique value again after its record is gone, even if the claim document was left behind', async () => {
    const url = await store.freshDatabase()
    const app = await boot(url)
    await leaveClaim(url, 'books.code=settled', { owner: 999, settled: true })
    await leaveClaim(url, 'books.code=open', { owner: 998, settled: false })
    for (const code of ['settled', 'open']) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => book(app, code)))
      const statuses = replies.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    }
  })

  test('distinguishes long unique values with a common prefix, and frees values of removed or changed records', async () => {
    const app = await boot(await store.freshDatabase())
    const long = 'é'.repeat(250)
    expect((await book(app, `${long}a`)).status).toBe(201)
    expect((await book(app, `${long}b`)).status).toBe(201)
    expect((await book(app, `${long}a`)).status).toBe(409)
    expect((await send(app, { method: 'DELETE', path: '/api/v1/books/1' })).status).toBe(204)
    const json = { code: 'short' }
    expect((await send(app, { method: 'PUT', path: '/api/v1/books/2', json })).status).toBe(200)
    for (const end of 'ab') expect((await book(app, long + end)).status).toBe(201)
    expect((await book(app, 'short')).status).toBe(409)
  })

  test('answers 500 if an index is missing, creates none without its mapping, and reveals no password', async () => {
    const url = new URL(await store.freshDatabase())
    // The test server requires no password.
    url.username = 'clerk'
    url.password = 'p%40ss%2Fword'
    const app = await boot(url.href)
    if ('skipped' in store.dropTable)
      throw new Error('expected the Elasticsearch kind to support dropping an index')
    await store.dropTable(url.href, 'books')
    expect((await book(app, 'a')).status).toBe(500)
    expect((await send(app, { path: '/api/v1/books' })).status).toBe(500)
    expect(indexesOf(url.href, await store.contents(url.href))).toEqual([
      '_counters-1',
      '_unique-1',
    ])
    expect(app.output()).toContain('request failed')
    expect(app.output()).not.toMatch(/p(@|%40)ss/)
    expect(app.output()).not.toContain(Buffer.from('clerk:p@ss/word').toString('base64'))
  })

  test('refuses to start if an index maps a field to another type, and names the field', async () => {
    const url = await store.freshDatabase()
    await (await boot(url)).stop()
    const line = 'Book title:string code:string:unique pages:float'
    await runStrata(root, ['feature', ...line.split(' '), '--allow-destructive'])
    await npm(root, ['run', 'build'])
    const { code, stderr } = await runToExit({ ...program(), env: { DATABASE_URL: url } })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/books can't change.*\[pages\].*new index/),
    ])
  })

  function program() {
    return { folder: root, argv: built }
  }

  async function boot(url: string): Promise<BootedApp> {
    const app = await bootApp({ ...program(), env: { DATABASE_URL: url } })
    onTestFinished(async () => void (await app.stop()))
    return app
  }
}

function book(app: BootedApp, code: string): Promise<Reply> {
  const json = { title: 'T', code, pages: 1 }
  return send(app, { method: 'POST', path: '/api/v1/books', json })
}

async function leaveClaim(url: string, id: string, document: object): Promise<void> {
  const { origin, pathname } = new URL(url)
  const client = new Client({ node: origin })
  await client.index({ index: `${pathname.slice(1)}-_unique`, id, document })
  await client.close()
}

/** Returns the index names without the prefix. */
function indexesOf(url: string, names: readonly string[]): readonly string[] {
  const prefix = `${new URL(url).pathname.slice(1)}-`
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

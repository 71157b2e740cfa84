import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { AppUnderTest } from '../apps/suite/check.ts'
import { jsonOf, type Reply, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp, type Exit, runToExit } from '../support/apps/boot.ts'
import { eventually } from '../support/apps/eventually.ts'
import { setup as buildStrata } from '../support/generator/build.ts'
import {
  type PostgresServer,
  startPostgres,
  whyNoPostgres,
  withClient,
} from '../support/postgres.ts'
import { built, emitApp } from './emitted-app.ts'

const reason = whyNoPostgres()
const notOurs = process.env.TEST_POSTGRES_URL
  ? 'the server of TEST_POSTGRES_URL is not ours to stop'
  : undefined

// Only behavior specific to PostgreSQL. `npm run test:stores` checks the behavior that all kinds share.

/** The user application of the contract, and an application with other field types. */
const userFeature = 'User name:string email:email age:int'
const productFeature =
  'Product slug:string:unique price:decimal(10,2) ratio:float:optional made:date seen:datetime:optional token:uuid:optional meta:json:optional'

describe.skipIf(reason)(`an emitted app on PostgreSQL${reason ? `, for ${reason}` : ''}`, () => {
  let folder: string
  let server: PostgresServer
  let userApp: string
  let shop: string

  beforeAll(async () => {
    buildStrata()
    folder = mkdtempSync(join(tmpdir(), 'strata-postgres-'))
    server = await startPostgres()
    userApp = await emitApp(join(folder, 'users'), 'postgres', [userFeature])
    shop = await emitApp(join(folder, 'products'), 'postgres', [productFeature])
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('migrations', () => {
    test('run once, and are recorded once, if several processes start at the same time', async () => {
      const url = await server.createDatabase(["default_transaction_isolation = 'serializable'"])
      const apps = await Promise.all([boot(userApp, url), boot(userApp, url), boot(userApp, url)])
      for (const app of apps) await app.stop()
      expect(await appliedMigrations(url)).toEqual(onDisk(userApp))
      await (await boot(userApp, url)).stop()
      expect(await appliedMigrations(url)).toEqual(onDisk(userApp))
    })

    test('use the schema of the URL, and a role without the CREATE right can start an up-to-date app', async () => {
      const url = await server.createDatabase()
      const inSchema = new URL(url)
      inSchema.searchParams.set('schema', 'the shop')
      await (await boot(shop, inSchema.href)).stop()
      expect(await tables(url, 'the shop')).toEqual(['_prisma_migrations', 'products'])
      expect(await tables(url, 'public')).toEqual([])

      const role = `clerk_${inSchema.pathname.slice(-8)}`
      await execute(
        url,
        `CREATE ROLE ${role} LOGIN PASSWORD 'p@ss/w:rd'; GRANT USAGE ON SCHEMA "the shop" TO ${role};
         GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA "the shop" TO ${role};
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA "the shop" TO ${role}`,
      )
      onTestFinished(() => execute(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
      inSchema.username = role
      inSchema.password = 'p@ss/w:rd'
      const app = await boot(shop, inSchema.href)
      expect((await post(app, product('a'))).status).toBe(201)
      await app.stop()
    })

    test('change nothing if one migration fails, and the error names that migration', async () => {
      const broken = join(shop, 'prisma/migrations/9999_broken')
      mkdirSync(broken)
      onTestFinished(() => rmSync(broken, { recursive: true }))
      writeFileSync(
        join(broken, 'migration.sql'),
        'CREATE TABLE half (id int);\nSELECT nonsense;\n',
      )
      const url = await server.createDatabase()
      expect(refusal(await run(shop, url), url)).toBe(
        `can't open the store of DATABASE_URL: migration 9999_broken failed: column "nonsense" does not exist`,
      )
      expect(await tables(url, 'public')).toEqual([])
    })
  })

  describe('records', () => {
    let app: BootedApp
    beforeAll(async () => {
      const settings = ["timezone = 'Asia/Tokyo'", "datestyle = 'German'"]
      app = await boot(shop, await server.createDatabase(settings))
    })
    afterAll(() => app?.stop())

    test.each<Readonly<Record<string, unknown>>>([
      { price: '99999999.99', ratio: 1e308, made: '9999-12-31', seen: '9999-12-31T23:59:59.999Z' },
      { price: '-0.01', ratio: 5e-324, made: '0001-01-01', seen: '0001-01-01T00:00:00.000Z' },
      { price: '0.10', ratio: 0.1 + 0.2, made: '1899-12-31', seen: '1883-11-18T12:00:00.001Z' },
      {
        price: '1.00',
        ratio: -1e-7,
        made: '1582-10-10',
        token: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      },
      { price: '1.00', made: '2024-02-29', meta: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) },
      {
        price: '1.00',
        made: '2024-02-29',
        meta: { '': [null, 5e-324, 1e308], $1: '\' " \\ $1 ? 😀' },
      },
      { price: '1.00', made: '2024-02-29', meta: 'null' },
    ])('return %j as written, for any time zone and date style of the server', async (values) => {
      const sent = { ...product(JSON.stringify(values).slice(0, 200)), ...values }
      const created = await post(app, sent)
      expect([created.status, jsonOf(created)]).toEqual([201, expect.objectContaining(sent)])
      const { id } = jsonOf(created) as { id: number }
      const found = await send(app, { path: `/api/v1/products/${id}` })
      expect(jsonOf(found)).toEqual(jsonOf(created))
    })

    test('exactly one of fifty concurrent creates with the same unique value succeeds', async () => {
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => post(app, product('same'))),
      )
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
      const refused = replies.filter(({ status }) => status !== 201)
      expect(new Set(refused.map((reply) => `${reply.status} ${reply.text}`))).toEqual(
        new Set(['409 {"error":"slug is already taken"}']),
      )
    })
  })

  describe.skipIf(notOurs)(`while the server is down${notOurs ? `, for ${notOurs}` : ''}`, () => {
    async function halt(): Promise<void> {
      onTestFinished(() => server.resume())
      await server.halt?.()
    }

    test('the app answers 503, and serves again after the server is back', async () => {
      const url = await server.createDatabase()
      const app = await boot(shop, url)
      await post(app, product('before'))
      await execute(url, sleepyInsert)
      const inHand = post(app, product('sleepy'))
      await eventually(() => isAsleep(url), 10_000)
      await halt()
      const away = '503 {"error":"the store does not answer, try again"}'
      const list = { path: '/api/v1/products' }
      expect(told(await inHand)).toBe(away)
      expect(told(await send(app, list))).toBe(away)
      expect((await send(app, { path: '/health' })).status).toBe(200)
      await server.resume()
      expect(jsonOf(await send(app, list))).toMatchObject({ total: 1 })
      expect((await app.stop()).code).toBe(0)
      expectNoSecret(app.output(), url)
    })
  })

  test.each<[string, (url: URL) => void, string]>([
    [
      'a wrong password',
      (url) => {
        url.password = 'not-this-one'
      },
      `password authentication failed for user "postgres"`,
    ],
    [
      'an unknown database',
      (url) => {
        url.pathname = '/nothing_here'
      },
      `database "nothing_here" does not exist`,
    ],
  ])('the app refuses to start with %s, in one line without a secret', async (_, change, words) => {
    const url = new URL(server.url)
    change(url)
    const line = `can't open the store of DATABASE_URL: ${words}`
    expect(refusal(await run(userApp, url.href), url.href)).toBe(line)
  })
})

function boot(folder: string, DATABASE_URL: string): Promise<BootedApp> {
  return bootApp({ folder, argv: built, env: { DATABASE_URL } })
}

function run(folder: string, DATABASE_URL: string): Promise<Exit> {
  return runToExit({ folder, argv: built, env: { DATABASE_URL } })
}

/** Returns the rows that `_prisma_migrations` must contain. */
function onDisk(root: string) {
  const path = join(root, 'prisma/migrations')
  return readdirSync(path)
    .filter((name) => /^\d/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(path, name, 'migration.sql'))
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, checksum, steps: 1, ended: true, logs: null, undone: null }
    })
}

/** A trigger that makes an INSERT take minutes. */
const sleepyInsert = `
  CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(600); RETURN NEW; END';
  CREATE TRIGGER sleep BEFORE INSERT ON products
    FOR EACH ROW WHEN (NEW.slug = 'sleepy') EXECUTE FUNCTION sleep()`

/** Sorted in the order in which Prisma reads the rows. */
function appliedMigrations(url: string): Promise<unknown[]> {
  return rows(
    url,
    `SELECT migration_name AS name, checksum, applied_steps_count AS steps, finished_at >= started_at AS ended,
            logs, rolled_back_at AS undone
     FROM _prisma_migrations ORDER BY started_at`,
  )
}

async function tables(url: string, schema: string): Promise<unknown[]> {
  const sql = `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' ORDER BY 1`
  return (await rows(url, sql)).map(({ tablename }) => tablename)
}

async function isAsleep(url: string): Promise<boolean> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
  return (await rows(url, sql)).length > 0
}

function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(sql)).rows)
}

async function execute(url: string, sql: string): Promise<void> {
  await rows(url, sql)
}

function product(slug: string): Record<string, unknown> {
  return { slug, price: '1.00', made: '2026-11-20' }
}

function post(app: AppUnderTest, json: unknown): Promise<Reply> {
  return send(app, { method: 'POST', path: '/api/v1/products', json })
}

function told({ status, text }: Reply): string {
  return `${status} ${text}`
}

/** Asserts that a start was refused with one line on standard error. Returns the message of that line. */
function refusal({ code, stdout, stderr }: Exit, url: string): string {
  expect([code, stdout]).toEqual([1, ''])
  expectNoSecret(stderr, url)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  return stderr.trimEnd()
}

function expectNoSecret(output: string, url: string): void {
  expect(output).not.toContain(new URL(url).password)
}

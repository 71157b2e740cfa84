import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresServer } from '../../daemon/databases/postgres.ts'
import { redacted } from '../../daemon/domain/redacted.ts'
import type { DatabaseAccess, DatabaseServer } from '../../daemon/ports.ts'
import { createOpenWalls } from '../../daemon/walls/open-walls.ts'
import {
  type PostgresServer,
  startPostgres,
  whyNoPostgres,
  withClient,
} from '../support/postgres.ts'

const reason = whyNoPostgres()

describe.skipIf(reason)(
  `databases of branches on PostgreSQL${reason ? `, for ${reason}` : ''}`,
  () => {
    let postgres: PostgresServer
    let server: DatabaseServer
    const walls = createOpenWalls('the programs run as the user of the tests')
    const access = (name: string): DatabaseAccess => ({
      name,
      password: redacted(`${name}-password`),
    })
    const [shop, blog] = [access('st_1_main_00000001'), access('st_2_main_00000002')]
    const urlOf = (one: DatabaseAccess) => server.urlOf(one).reveal()
    const rows = async (url: string, sql: string) =>
      withClient(url, async (client) => (await client.query(sql)).rows)

    beforeAll(async () => {
      postgres = await startPostgres()
      server = createPostgresServer({
        url: redacted(postgres.url),
        cells: walls,
        path: process.env.PATH ?? '',
      })
      await server.create(shop)
      await server.create(blog)
    })
    afterAll(async () => {
      for (const { name } of [shop, blog]) await server.drop(name)
      await postgres.stop()
    })

    test('a user creates tables in its own database, and creating the database again keeps them', async () => {
      await rows(urlOf(shop), 'CREATE TABLE notes (text text); INSERT INTO notes VALUES (1)')
      await server.create(shop)
      expect(await rows(urlOf(shop), 'SELECT text FROM notes')).toEqual([{ text: '1' }])
      expect(await server.exists(shop.name)).toBe(true)
      expect(await server.sizeOf(shop.name)).toBeGreaterThan(1_000_000)
    })

    test.each([
      ['CREATE DATABASE other', 'permission denied to create database'],
      ['CREATE ROLE other', 'permission denied to create role'],
      [`ALTER ROLE ${shop.name} CONNECTION LIMIT 1000`, 'permission denied'],
      [`DROP DATABASE ${blog.name}`, 'must be owner of database'],
      ["COPY (SELECT 1) TO PROGRAM 'true'", 'must be superuser or have privileges'],
      ['SELECT rolpassword FROM pg_authid', 'permission denied'],
    ])('a user may not run %s', async (sql, message) => {
      await expect(rows(urlOf(shop), sql)).rejects.toThrow(message)
    })

    test("a user can't connect to the database of another branch", async () => {
      const other = new URL(urlOf(shop))
      other.pathname = `/${blog.name}`
      await expect(rows(other.href, 'SELECT 1')).rejects.toThrow('permission denied for database')
    })

    test('the server never receives the password of a new user', async () => {
      const [row] = await rows(
        postgres.url,
        `SELECT rolpassword, rolconnlimit FROM pg_authid WHERE rolname = '${shop.name}'`,
      )
      expect(row?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/)
      expect(row?.rolconnlimit).toBe(30)
    })

    test('a revoked user loses its connections and gets them again with create', async () => {
      const client = new pg.Client(urlOf(blog))
      const lost = new Promise((resolve) => client.on('error', resolve))
      await client.connect()
      await server.revoke(blog.name)
      await lost
      await expect(rows(urlOf(blog), 'SELECT 1')).rejects.toThrow('not permitted to log in')
      await server.create(blog)
      expect(await rows(urlOf(blog), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    })

    test('a dump under writes holds one instant, and loads into another database', async () => {
      await rows(
        urlOf(shop),
        `CREATE TABLE accounts (id int PRIMARY KEY, cents int NOT NULL CHECK (cents >= 0));
       CREATE TABLE sums (cents int); CREATE INDEX ON accounts (cents);
       INSERT INTO accounts SELECT n, 100 FROM generate_series(1, 1000) AS n`,
      )
      let isOver = false
      const writing = (async () => {
        while (!isOver) {
          const sql = `UPDATE accounts SET cents = cents - 1 WHERE id = 1 AND cents > 0;
                     UPDATE accounts SET cents = cents + 1 WHERE id = 1000 AND (SELECT cents FROM accounts WHERE id = 1) > 0`
          await rows(urlOf(shop), `BEGIN; ${sql}; COMMIT`)
        }
      })()
      const copy = access('st_1_preview_00000003')
      onTestFinished(() => server.drop(copy.name))
      await server.create(copy)
      const options = { projectId: 1, signal: AbortSignal.timeout(30_000) }
      await server.load(copy, await server.dump(shop, options), options)
      isOver = true
      await writing
      const sums = await rows(
        urlOf(copy),
        'SELECT sum(cents)::int AS sum, count(*)::int FROM accounts',
      )
      expect(sums).toEqual([{ sum: 100_000, count: 1000 }])
      await rows(urlOf(copy), 'ALTER TABLE accounts ADD COLUMN note text; DELETE FROM accounts')
      expect(await rows(urlOf(shop), 'SELECT count(*)::int FROM accounts')).toEqual([
        { count: 1000 },
      ])
    })

    test('a broken dump is refused with the words of the program', async () => {
      const target = access('st_1_broken_00000004')
      onTestFinished(() => server.drop(target.name))
      await server.create(target)
      const options = { projectId: 1, signal: AbortSignal.timeout(30_000) }
      await expect(
        server.load(target, Readable.from([Buffer.from('no dump')]), options),
      ).rejects.toThrow(/pg_restore failed: .*(input file|archive)/)
      const dump = server.dump({ ...shop, password: redacted('wrong-password') }, options)
      await expect(dump.then(buffer)).rejects.toThrow(
        /pg_dump failed: .*password authentication failed/,
      )
    })

    test('drop removes database and user although a connection is open, and is idempotent', async () => {
      const gone = access('st_1_gone_00000005')
      await server.create(gone)
      const client = new pg.Client(urlOf(gone))
      client.on('error', () => {})
      await client.connect()
      await server.drop(gone.name)
      await server.drop(gone.name)
      expect(await server.exists(gone.name)).toBe(false)
      const users = await rows(
        postgres.url,
        `SELECT 1 FROM pg_roles WHERE rolname = '${gone.name}'`,
      )
      expect(users).toEqual([])
    })

    test('a server that does not answer, or refuses the administrator, is a sentence without the URL', async () => {
      const wrong = new URL(postgres.url)
      wrong.password = 'secret-of-the-administrator'
      const refused = createPostgresServer({ url: redacted(wrong.href), cells: walls, path: '' })
      const error = await refused.exists('st_1').catch((fault: unknown) => fault)
      expect(error).toMatchObject({ kind: 'unprocessable' })
      expect(String(error)).toContain('the server of SERVICE_POSTGRES_URL refuses: password')
      wrong.port = '1'
      const away = createPostgresServer({ url: redacted(wrong.href), cells: walls, path: '' })
      const fault = await away.exists('st_1').catch((reason: unknown) => reason)
      expect(fault).toMatchObject({ kind: 'transient' })
      expect(String(fault)).not.toContain('secret-of-the-administrator')
    })
  },
)

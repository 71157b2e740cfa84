import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { setup as buildStrata } from '../support/generator/build.ts'
import { withClient } from '../support/postgres.ts'
import { initApp, packages, runStrata } from './emitted-app.ts'
import { servers } from './servers/servers.ts'

const server = await servers['postgres-json']()
const reason = 'skipped' in server ? server.skipped : undefined

// Only behavior specific to `postgres-json`. `npm run test:stores` checks the behavior that all kinds share.

const features = [
  'Author name:string --search name',
  'Label slug:string:unique',
  'Book title:string:unique author_id:uint:fk labels:many(Label) price:decimal(10,2) ratio:float:optional made:date seen:datetime:optional meta:json:optional open:bool:default=false',
  'Page book_id:uint:fk:cascade number:int',
]

interface Row {
  readonly id: number
}

interface Repository {
  readonly create: (draft: object) => Promise<Row>
  readonly find: (id: number) => Promise<Row | undefined>
  readonly list: (query: object) => Promise<{ rows: readonly Row[]; total: number }>
  readonly remove: (id: number) => Promise<boolean>
  readonly update: (
    id: number,
    changes: object,
    check?: (row: Row & { name?: string }) => void,
  ) => Promise<Row | undefined>
}

/** The exports of the emitted project that the tests use. */
interface Emitted {
  readonly openStore: (url: string) => Promise<{ readonly close: () => Promise<void> }>
  readonly createRepositories: (store: unknown) => Record<Name, Repository>
  readonly setUp: (client: unknown, databaseSchema: string, schema: object) => Promise<void>
}

type Name = 'authors' | 'labels' | 'books' | 'pages'

describe.skipIf(reason)(`an emitted postgres-json store${reason ? `, for ${reason}` : ''}`, () => {
  let folder: string
  let emitted: Emitted
  let url: string

  beforeAll(async () => {
    buildStrata()
    folder = mkdtempSync(join(tmpdir(), 'strata-postgres-json-'))
    const root = await initApp(folder, 'postgres-json')
    for (const line of features) await runStrata(root, ['feature', ...line.split(' ')])
    symlinkSync(packages, join(root, 'node_modules'))
    const load = (path: string) => import(join(root, 'src', path))
    emitted = {
      ...(await load('infra/store.ts')),
      ...(await load('container.ts')),
      ...(await load('infra/set-up.ts')),
    }
  })
  afterAll(async () => {
    if (!('skipped' in server)) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  let made = 0
  beforeEach(async () => {
    if ('skipped' in server) return
    made += 1
    const database = new URL(server.url)
    database.pathname = `/store_${process.pid}_${made}`
    url = database.href
    await execute(server.url, `CREATE DATABASE ${database.pathname.slice(1)} TEMPLATE template0`)
  })

  describe('repositories', () => {
    const at = new Date('2024-05-06T07:08:09.123Z')
    const stamps = { createdAt: at, updatedAt: at }
    const book = (authorId: number, more: object = {}) => ({
      ...{ authorId, title: 'A', labels: [], price: '1.00', made: '2024-02-29', open: false },
      ...{ ratio: null, seen: null, meta: null, ...stamps, ...more },
    })

    /** Opens the emitted repositories on the database of the test. */
    async function open(): Promise<Record<Name, Repository>> {
      const store = await emitted.openStore(url)
      onTestFinished(() => store.close())
      return emitted.createRepositories(store)
    }

    test('return records as written, for any time zone and date style of the server', async () => {
      const name = new URL(url).pathname.slice(1)
      await execute(
        url,
        `ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'; ALTER DATABASE ${name} SET datestyle = 'German';
         ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`,
      )
      const { authors, books } = await open()
      const author = await authors.create({ name: 'A', ...stamps })
      const values = [
        { price: '99999999.99', ratio: 1e308, made: '9999-12-31', open: true },
        { price: '-0.01', ratio: 5e-324, seen: new Date('0001-01-01T00:00:00.000Z') },
        { price: '0.10', ratio: 0.1 + 0.2, seen: new Date('1883-11-18T12:00:00.001Z') },
        { meta: { '': [null, 5e-324], b: 1, a: { toJSON: '\' " \\ $1 ? 😀' } }, ratio: -1e-7 },
        { meta: 'null', createdAt: new Date('1582-10-10T00:00:00.001Z') },
      ]
      for (const value of values) {
        const draft = book(author.id, { title: JSON.stringify(value), ...value })
        const { id } = await books.create(draft)
        expect(await books.find(id)).toEqual({
          id,
          ...draft,
          author: { id: author.id, name: 'A' },
          pages: [],
          pagesTotal: 0,
        })
      }
      const keys = Object.keys((await books.find(4)) ?? {})
      expect(keys.slice(0, 3)).toEqual(['id', 'title', 'authorId'])
    })

    /** Throws if the record has another name than `A`. */
    const isStillA = ({ name }: { name?: string }): void => {
      if (name !== 'A') throw new Error('the record has changed')
    }

    test('let exactly one of fifty concurrent checked updates succeed', async () => {
      const { authors } = await open()
      const { id } = await authors.create({ name: 'A', ...stamps })
      const tries = Array.from({ length: 50 }, (_, n) =>
        authors.update(id, { name: `B${n}`, updatedAt: at }, isStillA).catch(() => undefined),
      )
      const won = (await Promise.all(tries)).filter((row) => row !== undefined)
      expect(won).toEqual([await authors.find(id)])
    })

    test('check the record again if another transaction changed it while the update waited', async () => {
      const { authors } = await open()
      const { id } = await authors.create({ name: 'A', ...stamps })
      await withClient(url, async (other) => {
        await other.query(`BEGIN; UPDATE authors SET document = document || '{"name": "B"}'`)
        const change = authors.update(id, { name: 'C', updatedAt: at }, isStillA)
        change.catch(() => {})
        const waiting =
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        await eventually(async () => (await other.query(waiting)).rowCount === 1, 10_000)
        await other.query('COMMIT')
        await expect(change).rejects.toThrow('the record has changed')
      })
      expect(await authors.find(id)).toMatchObject({ name: 'B' })
    })

    test('rely on foreign keys that also hold for writes with plain SQL', async () => {
      const { authors, books, pages } = await open()
      const author = await authors.create({ name: 'A', ...stamps })
      const { id } = await books.create(book(author.id))
      const page = await pages.create({ bookId: id, number: 1, ...stamps })

      await expect(execute(url, 'DELETE FROM authors')).rejects.toThrow(/books_author_id_fkey/)
      const dangling = `UPDATE books SET document = document || '{"author_id": 99}'`
      await expect(execute(url, dangling)).rejects.toThrow(/books_author_id_fkey/)
      await execute(url, 'DELETE FROM books')
      expect(await pages.find(page.id)).toBeUndefined()
    })

    test('either remove a record or keep it with all concurrently added references', async () => {
      const { authors, books } = await open()
      for (let round = 0; round < 10; round += 1) {
        const { id } = await authors.create({ name: 'A', ...stamps })
        const writes = Array.from({ length: 5 }, (_, n) =>
          books.create(book(id, { title: `${round} ${n}` })),
        )
        const removal = authors.remove(id)
        const [removed, ...written] = await Promise.allSettled([removal, ...writes])
        const kept = written.filter(({ status }) => status === 'fulfilled')
        const isThere = (await authors.find(id)) !== undefined
        expect(isThere).toBe(removed.status === 'rejected')
        expect(kept.length > 0).toBe(isThere)
        const { total } = await books.list({ page: 1, pageSize: 1, authorId: id })
        expect(total).toBe(kept.length)
      }
    })

    test('remove the id of a deleted record from the lists that contain it', async () => {
      const { authors, books, labels } = await open()
      const author = await authors.create({ name: 'A', ...stamps })
      const [a, b] = [
        await labels.create({ slug: 'a', ...stamps }),
        await labels.create({ slug: 'b', ...stamps }),
      ]
      const { id } = await books.create(book(author.id, { labels: ['a', 'b'] }))
      await labels.remove(a.id)
      expect(await books.find(id)).toMatchObject({ labels: [b] })
      expect(await documents(url, 'books')).toMatchObject([{ labels: [b.id] }])
      const inBoth = { page: 1, pageSize: 9, label: 'a' }
      expect(await books.list(inBoth)).toEqual({ rows: [], total: 0, hasMore: false })
    })

    test('remove the ids of many concurrently deleted records from one list', async () => {
      const { authors, books, labels } = await open()
      const author = await authors.create({ name: 'A', ...stamps })
      const slugs = Array.from({ length: 20 }, (_, n) => `label-${n}`)
      const made = await Promise.all(slugs.map((slug) => labels.create({ slug, ...stamps })))
      for (const title of ['A', 'B', 'C'])
        await books.create(book(author.id, { title, labels: slugs }))
      const removed = await Promise.all(made.map(({ id }) => labels.remove(id)))
      expect(new Set(removed)).toEqual(new Set([true]))
      const lists = (await documents(url, 'books')).map(({ labels }) => labels)
      expect(lists).toEqual([[], [], []])
    })

    test('use indexes for lists, filters and counts', async () => {
      const { authors, books, labels } = await open()
      const author = await authors.create({ name: 'A', ...stamps })
      await labels.create({ slug: 'a', ...stamps })
      await books.create(book(author.id, { labels: ['a'] }))
      await execute(
        url,
        `INSERT INTO books (document, created_at, updated_at)
         SELECT document || jsonb_build_object('title', n::text, 'open', n % 100 = 0, 'labels', jsonb_build_array(n % 100)),
                created_at - n * interval '1 minute', updated_at
         FROM books, generate_series(2, 20000) AS n`,
        'VACUUM ANALYZE books',
      )
      const newest = 'ORDER BY created_at DESC, id DESC OFFSET 0 LIMIT 20'
      const plans = [
        [`SELECT * FROM books ${newest}`, 'books_created_at_id_idx'],
        [`SELECT * FROM books WHERE open = 'true' ${newest}`, 'books_open_created_at_id_idx'],
        [
          "SELECT count(*) FROM books WHERE open = 'true'",
          'Index Only Scan using books_open_created_at_id_idx',
        ],
        ['SELECT count(*) FROM books WHERE author_id = 99', 'books_author_id_created_at_id_idx'],
        [`SELECT count(*) FROM books WHERE (document->'labels') @> '[7]'`, 'books_labels_idx'],
        [
          `SELECT * FROM books WHERE (document->>'title') = ANY('{7,8}'::text[])`,
          'books_title_key',
        ],
      ] as const
      for (const [sql, index] of plans) expect(await planOf(url, sql)).toContain(index)
    })
  })

  describe('setUp', () => {
    const text = { name: 'title', type: 'string' }
    const posts = (fields: object, more: object = {}) => ({
      posts: { words: 'post', fields, ...more },
    })
    const setUp = (schema: object) =>
      withClient(url, (client) => emitted.setUp(client, 'public', schema))

    /** Creates the table `posts` with a title field and inserts documents. */
    async function havePosts(...kept: readonly object[]): Promise<void> {
      await setUp(posts({ title: text }))
      for (const document of kept) {
        const sql = `INSERT INTO posts (document, created_at, updated_at) VALUES ('${JSON.stringify(document)}', now(), now())`
        await execute(url, sql)
      }
    }

    test('lets the first of several processes create the tables, and needs no CREATE right if nothing changed', async () => {
      const schema = posts({ title: text })
      await Promise.all(Array.from({ length: 5 }, () => setUp(schema)))
      const role = `clerk_${new URL(url).pathname.slice(1)}`
      await execute(
        url,
        `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      )
      onTestFinished(() => execute(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
      const clerk = new URL(url)
      clerk.username = role
      clerk.password = 'secret'
      await withClient(clerk.href, (client) => emitted.setUp(client, 'public', schema))
    })

    test('fills a new field with its default and its folded text', async () => {
      await havePosts({ title: 'A' }, { title: null })
      const fields = {
        title: { ...text, search: true, default: 'None' },
        state: { name: 'state', type: 'string', search: true, default: 'Öpen' },
        at: { name: 'at', type: 'datetime', default: '2024-01-02T03:04:05Z' },
        on: { name: 'on', type: 'date', default: { now: 'date' } },
        rank: { name: 'rank', type: 'int', optional: true },
      }
      await setUp(posts(fields))
      const filled = { state: 'Öpen', state_search: 'öpen', at: '2024-01-02T03:04:05.000Z' }
      const on = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
      expect(await documents(url, 'posts')).toEqual([
        { title: 'A', title_search: 'a', ...filled, on },
        { title: null, title_search: '', ...filled, on },
      ])
    })

    test('folds the texts of more than a thousand records', async () => {
      await setUp(posts({ title: text }))
      await execute(
        url,
        `INSERT INTO posts (document, created_at, updated_at)
         SELECT jsonb_build_object('title', 'Ärger ' || n), now(), now() FROM generate_series(1, 1234) AS n`,
      )
      await setUp(posts({ title: { ...text, search: true } }))
      const folded = (await documents(url, 'posts')).map(({ title_search }) => title_search)
      expect(new Set(folded).size).toBe(1234)
      expect(folded[0]).toBe('ärger 1')
    })

    test.each([
      [
        'a required field without a default',
        posts({ title: text, rank: { name: 'rank', type: 'int' } }),
        'posts.rank is required, but record 1 has no value: give every record a value',
      ],
      [
        'a changed field type that a stored value does not fit',
        posts({ title: { name: 'title', type: 'int' } }),
        'posts.title of record 1 is not of type int: convert the stored values',
      ],
      [
        'a unique field with duplicate stored values',
        posts({ title: { ...text, unique: true } }),
        "posts.title is unique, but records share a value: Key ((document ->> 'title'::text))=(A) is duplicated.",
      ],
      [
        'a reference to a missing record',
        {
          ...posts(
            { title: text, parentId: { name: 'parent_id', type: 'uint', optional: true } },
            { references: [{ key: 'parentId', to: 'posts', as: 'parent' }] },
          ),
        },
        'posts.parent_id refers to posts, but record 2 names a missing one: correct the record',
      ],
    ])('refuses %s and leaves the database unchanged', async (_, schema, message) => {
      await havePosts({ title: 'A', parent_id: 2 }, { title: 'A', parent_id: 7 })
      const before = await structure(url)
      await expect(setUp({ ...schema, more: { words: 'more', fields: {} } })).rejects.toThrow(
        message,
      )
      expect(await structure(url)).toEqual(before)
    })

    test('keeps values that fit the new type of a field', async () => {
      await havePosts({ title: '2024-02-29' }, { title: null })
      await setUp(posts({ title: { name: 'title', type: 'date', optional: true } }))
      await setUp(posts({ title: { ...text, optional: true } }))
      await setUp(posts({ title: { name: 'title', type: 'text', default: '' } }))
      expect(await documents(url, 'posts')).toEqual([{ title: '2024-02-29' }, { title: '' }])
    })

    test('adds the index of a filter field and drops the index with the filter', async () => {
      await havePosts({ title: 'A', flag: null })
      const flag = { name: 'flag', type: 'bool', optional: true, filter: true }
      await setUp(posts({ title: text, flag }))
      expect(await structure(url)).toContain('index posts_flag_created_at_id_idx')
      await setUp(posts({ title: text, flag: { name: 'flag', type: 'string', default: 'no' } }))
      expect(await structure(url)).not.toContain('index posts_flag_created_at_id_idx')
      expect(await documents(url, 'posts')).toEqual([{ title: 'A', flag: 'no' }])
    })

    test('replaces the foreign keys and indexes of changed references', async () => {
      const parentId = { name: 'parent_id', type: 'uint', optional: true, filter: true }
      const reference = { key: 'parentId', to: 'posts', as: 'parent' }
      await havePosts({ title: 'A' }, { title: 'B', parent_id: 1 })
      await setUp(posts({ title: text, parentId }, { references: [reference] }))
      await expect(execute(url, 'DELETE FROM posts WHERE id = 1')).rejects.toThrow(/_fkey/)
      const names = await structure(url)
      await setUp(
        posts({ title: text, parentId }, { references: [{ ...reference, cascade: true }] }),
      )
      expect(await structure(url)).toEqual(names)
      await execute(url, 'DELETE FROM posts WHERE id = 1')
      expect(await documents(url, 'posts')).toEqual([])
      await setUp(posts({ title: text, parentId: { ...parentId, filter: undefined } }))
      expect(await structure(url)).not.toEqual(names)
    })

    test("drops its own stale indexes and keeps a user's indexes", async () => {
      await setUp(posts({ title: { ...text, unique: true, index: true } }))
      await execute(url, 'CREATE INDEX posts_by_title_idx ON posts (created_at)')
      await setUp(posts({ title: text }))
      expect(await structure(url)).toContain('index posts_by_title_idx')
      expect(await structure(url)).not.toContain('index posts_title_key')
    })

    test('creates separate indexes for long field names with a common prefix', async () => {
      const long = (end: string) => ({
        name: `${'x'.repeat(55)}_${end}`,
        type: 'string',
        index: true,
      })
      await setUp(posts({ a: long('a'), b: long('b') }))
      const indexes = (await structure(url)).filter((name) => /^index posts_xx/.test(name))
      expect(indexes).toHaveLength(2)
    })

    test('refuses to use a table that the app did not create', async () => {
      await execute(url, 'CREATE TABLE posts (id int)')
      await expect(setUp(posts({ title: text }))).rejects.toThrow(
        'the table posts exists, but the app did not create it: use another schema',
      )
    })
  })
})

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const sql of statements) await client.query(sql)
  })
}

function documents(url: string, table: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`SELECT document FROM ${table} ORDER BY id`)
    return rows.map(({ document }) => document)
  })
}

/** Returns the names of the tables and indexes of a database. */
function structure(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT 'table ' || tablename AS name FROM pg_tables WHERE schemaname = 'public'
       UNION SELECT 'index ' || indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    )
    return rows.map(({ name }) => name)
  })
}

function planOf(url: string, sql: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

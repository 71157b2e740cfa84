import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { availableKinds, storeOf } from '../../src/generator/stores/stores.ts'
import { jsonOf, type Reply, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp, runToExit } from '../support/apps/boot.ts'
import { strata } from '../support/generator/strata.ts'
import { built, emitApp, npm, runStrata } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

const before = 'Book title:string code:string:optional price:decimal(8,1)'

/** New fields of all kinds that an existing record can get. */
const after = [
  'Book title:string code:string:default=none price:decimal(8,3) shelf_id:uint:fk:optional',
  'isbn:string:optional:unique state:enum(new|old):default=new pages:int:default=-5 cost:decimal(6,2):default=9.50',
  'since:date:default=2020-02-29 today:date:default=now first:datetime:default="2020-02-29T12:30:00.120Z"',
  'meta:json:default="{\\"a.b\\":{\\"$c\\":[1]}}" live:bool:default=true ratio:float:default=1e-7 summary:text:optional',
  '--search=title,state_note state_note:text:default="Draußen"',
].join(' ')

/** A search that finds a title written before titles were searchable. Relational stores fold old texts in SQL (ADR 12). */
const wordOfOld = storeOf(kind).adapter === 'document' ? 'über' : 'ZEBRAS'

const doubled = after.replace('title:string', 'title:string:unique')

if ('skipped' in store) {
  const { skipped } = store
  test('schema changes of stored records', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`on ${store.name}`, () => describeChange(store))

function describeChange(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-change-${kind}-`))
  let root: string
  let url: string

  beforeAll(async () => {
    root = await emitApp(folder, kind, ['Shelf name:string', before])
    url = await store.freshDatabase()
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('existing records get the defaults of new fields, are searchable and can be updated', async () => {
    const old = await served(async (app) => [
      recordOf(await book(app, { title: 'Über Zebras', price: '1.5' })),
      recordOf(await book(app, { title: 'Rote Beete', code: 'rb', price: '0.0' })),
    ])
    await change(after)
    await served(async (app) => {
      const [first, second] = old.map(({ id }) => id)
      const { today, ...about } = recordOf(await get(app, `books/${first}`))
      expect(about).toMatchObject({
        ...{ title: 'Über Zebras', code: 'none', price: '1.500', shelf_id: null, isbn: null },
        ...{ state: 'new', pages: -5, cost: '9.50', since: '2020-02-29', live: true, ratio: 1e-7 },
        ...{ first: '2020-02-29T12:30:00.120Z', meta: { 'a.b': { $c: [1] } }, summary: null },
        state_note: 'Draußen',
      })
      expect(today).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(recordOf(await get(app, `books/${second}`))).toMatchObject({
        code: 'rb',
        price: '0.000',
      })
      expect(await idsFound(app, wordOfOld)).toEqual([first])
      expect(await idsFound(app, 'DRAUSS')).toEqual([])
      expect(await idsFound(app, 'DRAUß')).toEqual([second, first])

      const shelf = recordOf(
        await send(app, { method: 'POST', path: '/api/v1/shelves', json: { name: 'A' } }),
      )
      const changes = { title: 'Neu', shelf_id: shelf.id, isbn: '1' }
      expect((await put(app, first, changes)).status).toBe(200)
      expect((await put(app, second, { isbn: '1' })).status).toBe(409)
      expect(await idsFound(app, wordOfOld)).toEqual([])
      expect(await idsFound(app, 'NEU')).toEqual([first])
      const removal = { method: 'DELETE', path: `/api/v1/shelves/${shelf.id}` }
      expect((await send(app, removal)).status).toBe(409)
    })
  })

  test('a dry run with --database counts the records that a change would lose, and changes nothing', async () => {
    const fields = ['title:string:max=3', 'isbn:string', 'since:date:unique', 'extra:string']
    const change = ['feature', 'Book', '--drop', 'code', '--add', ...fields]
    const facts = await sentences(change)
    expect(facts.map((each) => each.replace(/(?:, which|:) .*$/, '')).sort()).toEqual([
      '1 of 2 books has a title longer than 3 characters',
      '1 of 2 books has no isbn',
      '2 books have no extra',
      '2 of 2 books have a code',
      '2 of 2 books have the same since as another',
    ])
    const isDocument = storeOf(kind).adapter === 'document'
    expect(await sentences(['remove', 'Book', '--allow-destructive'])).toEqual([
      isDocument ? '2 rows of books stay in the store' : 'remove drops 2 rows of books',
    ])
    expect(await served((app) => idsOf(app, 'books'))).toHaveLength(2)
  })

  if (storeOf(kind).adapter === 'document') {
    test('lists compare values that were stored before the schema said that lists compare the field', async () => {
      const path = join(root, 'src/infra/schema.ts')
      const schema = readFileSync(path, 'utf8')
      await rewrite(path, schema.replaceAll(/\b(?:range|sort): true,?/g, ''))
      const [first, second, third] = await served(async (app) => [
        recordOf(await book(app, { title: 'Alt', price: '10', isbn: 'b' })).id,
        recordOf(await book(app, { title: 'Alt', price: '9.5', isbn: 'B' })).id,
        recordOf(await book(app, { title: 'Alt', price: '-1.5' })).id,
      ])
      await rewrite(path, schema)
      await served(async (app) => {
        const ids = (query: string) => idsOf(app, `books?search=alt&${query}`)
        expect(await ids('price[gte]=9.75')).toEqual([first])
        expect(await ids('price[lt]=10')).toEqual([third, second])
        expect(await ids('sort=isbn')).toEqual([third, second, first])
        for (const id of [first, second, third]) {
          await send(app, { method: 'DELETE', path: `/api/v1/books/${id}` })
        }
      })
    })
  }

  // The other kinds fail in the migration, which the migration tests cover.
  if (storeOf(kind).adapter === 'document') {
    test('the app refuses to start while a stored record does not fit the schema, and starts after it fits', async () => {
      const ids = await served(async (app) => {
        const made = [await book(app, { title: 'Twice' }), await book(app, { title: 'Twice' })]
        return made.map((reply) => recordOf(reply).id)
      })
      await change(doubled)
      const { code, stderr, stdout } = await runToExit({
        folder: root,
        argv: built,
        env: { DATABASE_URL: url },
      })
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('title')])

      await change(after)
      await served(async (app) => {
        expect((await put(app, ids[1], { title: 'Once' })).status).toBe(200)
      })
      await change(doubled)
      await served(async (app) => {
        expect((await put(app, ids[1], { title: 'Twice' })).status).toBe(409)
        expect(await idsFound(app, 'ONCE')).toEqual([ids[1]])
      })
    })
  }

  async function sentences(args: readonly string[]): Promise<readonly string[]> {
    const options = ['--dry-run', '--database', '--json']
    const run = await strata(root, [...args, ...options], { env: { DATABASE_URL: url } })
    const { database } = plan.parse(JSON.parse(run.stdout || JSON.stringify(run.stderr)))
    expect(database.reason).toBeUndefined()
    return database.facts.map(({ sentence }) => sentence)
  }

  async function rewrite(path: string, text: string): Promise<void> {
    writeFileSync(path, text)
    await npm(root, ['run', 'build'])
  }

  async function change(feature: string): Promise<void> {
    await runStrata(root, ['feature', ...wordsOf(feature), '--allow-destructive'])
    await npm(root, ['run', 'build'])
  }

  async function served<Result>(use: (app: BootedApp) => Promise<Result>): Promise<Result> {
    const app = await bootApp({ folder: root, argv: built, env: { DATABASE_URL: url } })
    try {
      return await use(app)
    } finally {
      await app.stop()
    }
  }
}

/** Splits a command line at spaces outside quotes. */
function wordsOf(line: string): readonly string[] {
  return line.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? []
}

function book(app: BootedApp, json: object): Promise<Reply> {
  return send(app, { method: 'POST', path: '/api/v1/books', json: { price: '1.0', ...json } })
}

function put(app: BootedApp, id: number | undefined, json: object): Promise<Reply> {
  return send(app, { method: 'PUT', path: `/api/v1/books/${id}`, json })
}

function get(app: BootedApp, path: string): Promise<Reply> {
  return send(app, { path: `/api/v1/${path}` })
}

function idsFound(app: BootedApp, search: string): Promise<readonly number[]> {
  return idsOf(app, `books?search=${encodeURIComponent(search)}`)
}

async function idsOf(app: BootedApp, list: string): Promise<readonly number[]> {
  const reply = await get(app, list)
  const { books } = z.object({ books: z.array(anyRecord) }).parse(jsonOf(reply))
  return books.map(({ id }) => id)
}

const plan = z.looseObject({
  database: z.object({
    asked: z.boolean(),
    reason: z.string().optional(),
    facts: z.array(z.looseObject({ sentence: z.string() })),
  }),
})

const anyRecord = z.looseObject({ id: z.number() })

function recordOf(reply: Reply) {
  expect([200, 201], reply.text).toContain(reply.status)
  return anyRecord.parse(jsonOf(reply))
}

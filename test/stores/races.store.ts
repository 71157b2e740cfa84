import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { availableKinds } from '../../src/generator/stores/stores.ts'
import { jsonOf, type Reply, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp } from '../support/apps/boot.ts'
import { built, emitApp } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

/** A book prevents the deletion of its author. Deleting a shelf cascades to its books and their notes. */
const features = [
  'Author name:string',
  'Shelf name:string',
  'Book title:string author_id:uint:fk shelf_id:uint:fk:cascade',
  'Note book_id:uint:fk:cascade said:string',
  'Label code:string:unique',
]

const rounds = 30
const writers = 8

if ('skipped' in store) {
  const { skipped } = store
  test('concurrent writes and deletes of referenced records', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`two processes on ${store.name}`, () => describeRaces(store))

function describeRaces(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-races-${kind}-`))
  let root: string
  let apps: readonly BootedApp[]

  beforeAll(async () => {
    root = await emitApp(folder, kind, features)
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts two applications on one empty store. Returns a function that starts another on the same store. */
  async function bootTwo(): Promise<() => Promise<BootedApp>> {
    const env = { DATABASE_URL: await store.freshDatabase() }
    const boot = () => bootApp({ folder: root, argv: built, env })
    apps = await Promise.all([boot(), boot()])
    onTestFinished(async () => {
      for (const app of apps) await app.stop()
    })
    return boot
  }

  test('leave no dangling reference and lose no record if they create and delete concurrently', async () => {
    await bootTwo()
    const answers = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const author = await created('authors', { name: 'Ada' })
      const [shelf, other] = [
        await created('shelves', { name: 'A' }),
        await created('shelves', { name: 'B' }),
      ]
      const book = (shelf_id: number) => ({ title: 'T', author_id: author, shelf_id })
      const moved = await created('books', book(shelf))
      let isOver = false
      const written = Array.from({ length: writers }, async (_, at) => {
        const replies: Reply[] = []
        while (!isOver)
          replies.push(await call(at % 2, 'POST', 'books', book(at < 2 ? other : shelf)))
        return replies
      })
      const [move, noted, ...removals] = await Promise.all([
        call(1, 'PUT', `books/${moved}`, { shelf_id: other }),
        call(0, 'POST', 'notes', { book_id: moved, said: 'so' }),
        call(0, 'DELETE', `shelves/${shelf}`),
        call(1, 'DELETE', `authors/${author}`),
      ])
      isOver = true
      const books = (await Promise.all(written)).flat()
      const [removal, authorRemoval] = removals
      for (const reply of [move, noted, ...removals, ...books]) answers.add(said(reply))

      const isShelfThere = await isThere('shelves', shelf)
      expect(removal?.status === 204).toBe(!isShelfThere)
      expect(authorRemoval?.status === 204).toBe(!(await isThere('authors', author)))
      // A book with an acknowledged create or move exists, unless the deletion of its shelf cascaded to it.
      if (move.status === 200) expect(await isThere('books', moved)).toBe(true)
      for (const reply of books.filter(({ status }) => status === 201)) {
        const { id, shelf_id } = recordOf(reply)
        if (isShelfThere || shelf_id === other) expect(await isThere('books', id)).toBe(true)
      }
    }
    expect([...answers].filter((answer) => !expected.test(answer))).toEqual([])
    await expectWhole('books', { author_id: 'authors', shelf_id: 'shelves' })
    await expectWhole('notes', { book_id: 'books' })
  })

  test('acknowledge the deletion of a record to exactly one of several concurrent requests', async () => {
    await bootTwo()
    for (let round = 0; round < rounds; round += 1) {
      const author_id = await created('authors', { name: 'Ada' })
      const shelf_id = await created('shelves', { name: 'A' })
      await Promise.all([1, 2, 3].map(() => created('books', { title: 'T', author_id, shelf_id })))
      const removals = [0, 1, 0, 1].map((app) => call(app, 'DELETE', `shelves/${shelf_id}`))
      const statuses = (await Promise.all(removals)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([204, 404, 404, 404])
      expect((await call(0, 'DELETE', `authors/${author_id}`)).status).toBe(204)
    }
    await expectWhole('books', {})
  })

  test('can write and delete after one of them was killed during a delete', async () => {
    const bootAgain = await bootTwo()
    const author_id = await created('authors', { name: 'Ada' })
    for (let round = 0; round < 6; round += 1) {
      const shelf_id = await created('shelves', { name: 'A' })
      const book = { title: 'T', author_id, shelf_id }
      for (let at = 0; at < 20; at += 1) await created('books', book)
      const removal = call(0, 'DELETE', `shelves/${shelf_id}`).catch(() => undefined)
      // Each round sends one more request before the kill.
      for (let asked = 0; asked <= round; asked += 1) await isThere('shelves', shelf_id)
      await apps[0]?.kill()
      const told = await removal
      const reply = await call(1, 'POST', 'books', book)
      expect([201, 404]).toContain(reply.status)
      if (told?.status === 204) expect(reply.status).toBe(404)
      const again = await call(1, 'DELETE', `shelves/${shelf_id}`)
      expect(again.status).toBe(reply.status === 201 ? 204 : 404)
      apps = [await bootAgain(), ...apps.slice(1)]
    }
    await expectWhole('books', { author_id: 'authors', shelf_id: 'shelves' })
    expect((await call(1, 'GET', 'books')).text).toContain('"total":0')
  })

  test('keep a concurrent change of a record if moving the record to a deleted target fails', async () => {
    await bootTwo()
    const shelf_id = await created('shelves', { name: 'A' })
    for (let round = 0; round < 2 * rounds; round += 1) {
      const author_id = await created('authors', { name: 'Ada' })
      const other = await created('authors', { name: 'Bob' })
      const id = await created('books', { title: 'Old', author_id, shelf_id })
      const change = async (at: number, body: object, questions: number) => {
        // Different numbers of requests before the change produce different interleavings.
        for (let asked = 0; asked < questions; asked += 1) await isThere('shelves', shelf_id)
        return call(at, 'PUT', `books/${id}`, body)
      }
      const [move, title] = await Promise.all([
        change(0, { author_id: other, title: 'Moved' }, round % 3),
        change(1, { title: 'New' }, round % 5),
        call(1, 'DELETE', `authors/${other}`),
      ])
      const book = await call(0, 'GET', `books/${id}`)
      expect(book.status).toBe(200)
      if (move.status !== 200 && title.status === 200) expect(book.text).toContain('"title":"New"')
    }
    await expectWhole('books', { author_id: 'authors', shelf_id: 'shelves' })
  })

  test('reserve a unique value for one record if they set it concurrently, and free the previous value', async () => {
    await bootTwo()
    const other = await created('labels', { code: 'other' })
    for (let round = 0; round < rounds; round += 1) {
      const id = await created('labels', { code: `old-${round}` })
      const code = `new-${round}`
      const changes = [0, 1, 0, 1, 0, 1].map((at) => call(at, 'PUT', `labels/${id}`, { code }))
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
      expect((await call(1, 'PUT', `labels/${other}`, { code })).status).toBe(409)
      await created('labels', { code: `old-${round}` })
    }
  })

  /** Asserts that the total equals the number of listed records, and that all references resolve. */
  async function expectWhole(plural: string, references: Readonly<Record<string, string>>) {
    const page = z.object({ [plural]: z.array(anyRecord), total: z.number() })
    const records: Stored[] = []
    let total = 0
    for (let at = 1; records.length === (at - 1) * 100; at += 1) {
      const reply = await call(0, 'GET', `${plural}?page=${at}&page_size=100`)
      const { [plural]: listed, total: counted } = page.parse(jsonOf(reply))
      records.push(...z.array(anyRecord).parse(listed))
      total = z.number().parse(counted)
    }
    expect(records).toHaveLength(total)
    for (const record of records) {
      for (const [key, target] of Object.entries(references)) {
        expect(await isThere(target, z.number().parse(record[key]))).toBe(true)
      }
    }
  }

  async function created(plural: string, body: object): Promise<number> {
    return recordOf(await call(0, 'POST', plural, body)).id
  }
  async function isThere(plural: string, id: number): Promise<boolean> {
    return (await call(1, 'GET', `${plural}/${id}`)).status === 200
  }
  function call(at: number, method: string, path: string, json?: object): Promise<Reply> {
    const app = apps[at]
    if (app === undefined) throw new Error(`application ${at} is not running`)
    return send(app, { method, path: `/api/v1/${path}`, ...(json && { json }) })
  }
}

/** Acceptable answers. A store that cannot order two concurrent writes answers 503 and asks to try again. */
const expected =
  /^(20[014]|404 {"error":"[a-z]+ not found"}|409 {"error":"other records refer to this record"}|503 .*try again"})$/

const anyRecord = z.looseObject({ id: z.number() })

type Stored = z.infer<typeof anyRecord>

function recordOf(reply: Reply) {
  expect([201, reply.text]).toEqual([reply.status, reply.text])
  return anyRecord.parse(jsonOf(reply))
}

function said({ status, text }: Reply): string {
  return status < 300 ? `${status}` : `${status} ${text}`
}

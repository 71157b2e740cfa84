import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus, instantOf, objectOf } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { jsonOf, send } from './http.ts'
import {
  create,
  freshBody,
  list,
  put,
  type Resource,
  remove,
  type Stored,
  update,
  writable,
} from './resource.ts'

const notPages = ['0', '-1', 'abc', '1.5', '', '%20', '1abc', 'Infinity', 'null', '1,2']

const oddQueries = [
  '',
  '&&=&',
  '?',
  'page[]=1',
  'page[$gt]=1',
  'page.x=1',
  '__proto__=1',
  '__proto__[page]=1',
  'constructor=1&toString=2',
  'page_size=5;page=2',
  `x=${'y'.repeat(5000)}`,
  Array.from({ length: 1500 }, (_, at) => `p${at}=1`).join('&'),
]

/** Checks of order, pages and totals. New records are the newest, so they lead every list. */
export function listChecks(resource: Resource): readonly Check[] {
  const { plural, path } = resource
  return [
    {
      title: `${plural}: a list without parameters returns the first 20 records`,
      run: async (app) => {
        const made = await createMany(app, resource, 21)
        const ids = idsOf(made.sort(newestFirst))
        assert.deepEqual(idsOf((await list(app, resource)).records), ids.slice(0, 20))
        assert.deepEqual(idsOf((await list(app, resource, 'page=2')).records)[0], ids[20])
        assert.equal((await list(app, resource, 'page_size=21')).records.length, 21)
      },
    },
    {
      title: `${plural}: total counts every record on every page`,
      run: async (app) => {
        const { total } = await list(app, resource)
        const [first] = await createMany(app, resource, 3)
        for (const query of [
          '',
          'page_size=1',
          'page=2&page_size=1',
          'page=5000',
          'page_size=100',
        ]) {
          assert.equal((await list(app, resource, query)).total, total + 3, query)
        }
        await remove(app, resource, first?.id ?? 0)
        assert.equal((await list(app, resource)).total, total + 2)
      },
    },
    {
      title: `${plural}: pages split 45 records without a gap or an overlap`,
      run: async (app) => {
        const ids = idsOf((await createMany(app, resource, 45)).sort(newestFirst))
        for (const size of [7, 20, 45, 100]) {
          const walked: number[] = []
          for (let page = 1; walked.length < ids.length; page += 1) {
            const { records } = await list(app, resource, `page=${page}&page_size=${size}`)
            assert.ok(records.length <= size && records.length > 0, `page ${page} of ${size}`)
            walked.push(...idsOf(records))
          }
          assert.deepEqual(walked.slice(0, ids.length), ids, `pages of ${size}`)
        }
        const last = await list(app, resource, 'page=45&page_size=1')
        assert.deepEqual(idsOf(last.records), ids.slice(-1))
      },
    },
    {
      title: `${plural}: the last page has the remaining records, and later pages are empty`,
      run: async (app) => {
        await create(app, resource)
        const { total } = await list(app, resource)
        const last = Math.ceil(total / 20)
        const { records } = await list(app, resource, `page=${last}`)
        assert.equal(records.length, total - (last - 1) * 20)
        for (const page of [last + 1, last + 1000, last + 100_000]) {
          assert.deepEqual(await list(app, resource, `page=${page}`), { records: [], total })
          const wide = await list(app, resource, `page=${page}&page_size=100`)
          assert.deepEqual(wide, { records: [], total })
        }
      },
    },
    {
      title: `${plural}: lists are newest first, and by descending id within one instant`,
      run: async (app) => {
        for (let round = 0; round < 3; round += 1) {
          await Promise.all(Array.from({ length: 25 }, () => create(app, resource)))
        }
        await createMany(app, resource, 10)
        const { records } = await list(app, resource, 'page_size=85')
        assert.equal(records.length, 85)
        assert.deepEqual(idsOf(records), idsOf([...records].sort(newestFirst)))
      },
    },
    {
      title: `${plural}: an update does not change the order of a list`,
      run: async (app) => {
        const made = await createMany(app, resource, 4)
        const ids = idsOf([...made].sort(newestFirst))
        for (const { id } of made.slice(0, 2)) await updateLater(app, resource, id, made)
        assert.deepEqual(idsOf((await list(app, resource, 'page_size=4')).records), ids)
      },
    },
    {
      title: `${plural}: page and page_size out of range answer 400, which names only them`,
      run: async (app) => {
        for (const value of notPages) {
          for (const name of ['page', 'page_size']) {
            const other = name === 'page' ? 'page_size=5' : 'page=1'
            assertFaults(await send(app, { path: `${path}?${name}=${value}` }), [name])
            assertFaults(await send(app, { path: `${path}?${other}&${name}=${value}` }), [name])
          }
        }
        for (const size of ['101', '1000', '9007199254740993']) {
          assertFaults(await send(app, { path: `${path}?page_size=${size}` }), ['page_size'])
        }
        const both = await send(app, { path: `${path}?page_size=0&page=x` })
        assertFaults(both, ['page', 'page_size'])
      },
    },
    {
      title: `${plural}: page_size 1 and 100 are in range`,
      run: async (app) => {
        await create(app, resource)
        assert.equal((await list(app, resource, 'page_size=1')).records.length, 1)
        const { records, total } = await list(app, resource, 'page_size=100&page=1')
        assert.equal(records.length, Math.min(total, 100))
      },
    },
    {
      title: `${plural}: a repeated query parameter answers 400, even with the same value`,
      run: async (app) => {
        for (const name of ['page', 'page_size']) {
          assertFaults(await send(app, { path: `${path}?${name}=1&${name}=1` }), [name])
          assertFaults(await send(app, { path: `${path}?${name}=2&page=1&${name}=3` }), [name])
        }
      },
    },
    {
      title: `${plural}: a list contains its page and page_size`,
      run: async (app) => {
        for (const [query, page, size] of [
          ['', 1, 20],
          ['?page=3&page_size=7', 3, 7],
          ['?page=100000', 100_000, 20],
          ['?page=30000000&page_size=100', 30_000_000, 100],
          ['?page=9007199254740991', 2 ** 53 - 1, 20],
        ] as const) {
          const reply = await send(app, { path: `${path}${query}` })
          if (page > 1_000_000 && reply.status === 400) continue // beyond every list
          assertStatus(reply, 200)
          const said = objectOf(jsonOf(reply), reply.call)
          assert.deepEqual([said.page, said.page_size], [page, size], reply.call)
        }
      },
    },
    {
      title: `${plural}: an unknown query parameter answers 400, which names it`,
      run: async (app) => {
        for (const [query, unknown] of [
          ['activ=false', ['activ']],
          ['Page=1', ['Page']],
          ['page=1&utm_source=mail&offset=3', ['offset', 'utm_source']],
          ['limit=5&page=0', ['limit', 'page']],
          ['page[]=1', ['page[]']],
        ] as const) {
          assertFaults(await send(app, { path: `${path}?${query}` }), unknown)
        }
      },
    },
    {
      // Malformed names may be ignored; 5xx is never correct.
      title: `${plural}: an unusual query string is ignored or rejected`,
      run: async (app) => {
        for (const query of oddQueries) {
          const reply = await send(app, { path: `${path}?${query}` })
          if (reply.status !== 200) assertError(reply, 400)
        }
      },
    },
    {
      title: `${plural}: a page beyond every list is empty or rejected`,
      run: async (app) => {
        const pages = ['2147483648', '9007199254740991', '9007199254740993', '9'.repeat(300)]
        for (const page of pages) {
          const reply = await send(app, { path: `${path}?page=${page}&page_size=100` })
          if (reply.status !== 200) assertFaults(reply, ['page'])
          else assert.deepEqual(objectOf(jsonOf(reply), reply.call)[plural], [], reply.call)
        }
      },
    },
    {
      title: `${plural}: a record is listed as soon as its write is answered`,
      run: async (app) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const { id } = await create(app, resource)
          assert.equal((await list(app, resource, 'page_size=1')).records[0]?.id, id)
          const body = freshBody(resource)
          assertStatus(await put(app, resource, id, body), 200)
          const [first] = (await list(app, resource, 'page_size=1')).records
          assert.deepEqual(writable(resource, first ?? {}), body)
          assertStatus(await remove(app, resource, id), 204)
          assert.notEqual((await list(app, resource, 'page_size=1')).records[0]?.id, id)
        }
      },
    },
  ]
}

/** Creates `count` records sequentially and returns them in order. */
async function createMany(app: AppUnderTest, resource: Resource, count: number): Promise<Stored[]> {
  const made: Stored[] = []
  for (let turn = 0; turn < count; turn += 1) made.push(await create(app, resource))
  return made
}

/** Repeats the update until its time is later than every creation: an app can do both within 1 ms. */
async function updateLater(
  app: AppUnderTest,
  resource: Resource,
  id: number,
  made: readonly Stored[],
): Promise<void> {
  const created = made.map((record) => instantOf(record.created_at, 'created_at'))
  for (let tries = 0; tries < 100; tries++) {
    const { updated_at } = await update(app, resource, id, freshBody(resource))
    if (instantOf(updated_at, 'updated_at') > Math.max(...created)) return
  }
}

function idsOf(records: readonly Stored[]): readonly number[] {
  return records.map(({ id }) => id)
}

function newestFirst(one: Stored, two: Stored): number {
  const younger = instantOf(two.created_at, 'created_at') - instantOf(one.created_at, 'created_at')
  return younger === 0 ? two.id - one.id : younger
}

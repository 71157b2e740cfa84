import assert from 'node:assert/strict'
import { assertFaults, assertStatus, instantOf } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { send } from './http.ts'
import {
  create,
  freshBody,
  listPage,
  type Resource,
  remove,
  type Stored,
  update,
} from './resource.ts'

const badSorts = [
  '',
  '-',
  'id,-id',
  'id,id',
  'id,',
  'nope',
  '--id',
  '__proto__',
  'createdAt',
  'id;x',
]

const badCursors = ['', 'x', 'e30', 'bnVsbA', 'WzFd', '%00', 'eyJhIjoxfQ', 'a'.repeat(3000)]

/** Checks of the order of a list, and of its cursors. */
export function listOrderChecks(resource: Resource): readonly Check[] {
  const { plural, path } = resource
  return [
    {
      title: `${plural}: sort orders a list, and ids break ties in the direction of the first field`,
      run: async (app) => {
        // Some of them are created in the same millisecond.
        for (let round = 0; round < 3; round += 1) {
          await Promise.all(Array.from({ length: 25 }, () => create(app, resource)))
        }
        const made = await createMany(app, resource, 4)
        await update(app, resource, made[1]?.id ?? 0, freshBody(resource))
        for (const field of ['id', 'created_at', 'updated_at']) {
          for (const sign of ['', '-']) {
            const { records } = await listPage(app, resource, `sort=${sign}${field}&page_size=100`)
            const sorted = [...records].sort(orderBy(field, sign === '-'))
            assert.deepEqual(idsOf(records), idsOf(sorted), `sort=${sign}${field}`)
          }
        }
        const { records } = await listPage(app, resource, 'sort=-created_at,id&page_size=100')
        const sorted = [...records].sort((a, b) => orderBy('created_at', true)(a, b, 1))
        assert.deepEqual(idsOf(records), idsOf(sorted), 'sort=-created_at,id')
        assert.deepEqual(
          await listPage(app, resource, 'page_size=7'),
          await listPage(app, resource, 'sort=-created_at&page_size=7'),
          'the default order',
        )
      },
    },
    {
      title: `${plural}: next_cursor is null on the last page, and elsewhere starts the next page`,
      run: async (app) => {
        const made = await createMany(app, resource, 7)
        const { total, next } = await listPage(app, resource, 'page_size=7')
        if (total === 7) assert.equal(next, null, 'next_cursor of a complete page')
        assert.equal((await listPage(app, resource, `page=${total}&page_size=1`)).next, null)
        assert.equal((await listPage(app, resource, `page=${total + 5}`)).next, null)
        const beforeLast = await listPage(app, resource, `page=${total - 1}&page_size=1`)
        const last = await listPage(app, resource, `page_size=1&cursor=${beforeLast.next}`)
        assert.deepEqual([last.records.length, last.next], [1, null], 'the last page by cursor')
        const walked = await walk(app, resource, 'sort=-id&page_size=3', made[0]?.id ?? 0)
        assert.deepEqual(walked, idsOf(made).toReversed())
        const all = (await listPage(app, resource, 'sort=-id&page_size=100')).records
        const sized = await listPage(app, resource, 'sort=-id&page_size=2')
        const wide = await listPage(app, resource, `cursor=${sized.next}&page_size=100`)
        assert.deepEqual(idsOf(wide.records).slice(0, all.length - 2), idsOf(all).slice(2, 100))
      },
    },
    {
      title: `${plural}: pages by cursor have no gap and no overlap while records come and go`,
      run: async (app) => {
        const made = await createMany(app, resource, 9)
        const ids = idsOf(made).toReversed()
        const first = await listPage(app, resource, 'page_size=3')
        assert.deepEqual(idsOf(first.records), ids.slice(0, 3))
        await createMany(app, resource, 4)
        await remove(app, resource, ids[2] ?? 0) // the record of the cursor
        await remove(app, resource, ids[3] ?? 0)
        const second = await listPage(app, resource, `cursor=${first.next}&page_size=3`)
        assert.deepEqual(idsOf(second.records), ids.slice(4, 7))
        const third = await listPage(app, resource, `cursor=${second.next}&page_size=2`)
        assert.deepEqual(idsOf(third.records), ids.slice(7, 9))
        assert.equal(third.total, (await listPage(app, resource)).total)
      },
    },
    {
      title: `${plural}: an invalid sort answers 400, which names it`,
      run: async (app) => {
        for (const sort of badSorts) {
          assertFaults(await send(app, { path: `${path}?sort=${sort}` }), ['sort'])
        }
        assertFaults(await send(app, { path: `${path}?sort=id&sort=id` }), ['sort'])
        assertFaults(await send(app, { path: `${path}?sort=x&page=0&y=1` }), ['page', 'sort', 'y'])
      },
    },
    {
      title: `${plural}: an invalid cursor answers 400, which names it`,
      run: async (app) => {
        for (const cursor of badCursors) {
          assertFaults(await send(app, { path: `${path}?cursor=${cursor}` }), ['cursor'])
        }
        await createMany(app, resource, 2)
        const { next } = await listPage(app, resource, 'sort=id&page_size=1')
        assertFaults(await send(app, { path: `${path}?cursor=${next?.slice(3)}` }), ['cursor'])
        assertFaults(await send(app, { path: `${path}?cursor=${next}&cursor=${next}` }), ['cursor'])
        assertStatus(await send(app, { path: `${path}?cursor=${next}&sort=id` }), 200)
      },
    },
    {
      title: `${plural}: a cursor with a page or another sort answers 400, which names the cursor`,
      run: async (app) => {
        await createMany(app, resource, 2)
        const { next } = await listPage(app, resource, 'sort=id&page_size=1')
        for (const other of [
          'page=1',
          'page=2',
          'sort=-id',
          'sort=created_at',
          'sort=id,created_at',
        ]) {
          assertFaults(await send(app, { path: `${path}?cursor=${next}&${other}` }), ['cursor'])
        }
      },
    },
  ]
}

/** Reads the pages of a list until a record, and returns their ids. */
async function walk(app: AppUnderTest, resource: Resource, query: string, until: number) {
  let page = await listPage(app, resource, query)
  const ids = [...idsOf(page.records)]
  while (page.next !== null && !ids.includes(until)) {
    page = await listPage(app, resource, `page_size=3&cursor=${page.next}`)
    ids.push(...idsOf(page.records))
  }
  return ids.slice(0, ids.indexOf(until) + 1)
}

function orderBy(field: string, isDescending: boolean) {
  const sign = isDescending ? -1 : 1
  const keyOf = (record: Stored) => (field === 'id' ? record.id : instantOf(record[field], field))
  return (one: Stored, two: Stored, tie = sign) =>
    sign * (keyOf(one) - keyOf(two)) || tie * (one.id - two.id)
}

/** Creates `count` records sequentially and returns them in order. */
async function createMany(app: AppUnderTest, resource: Resource, count: number): Promise<Stored[]> {
  const made: Stored[] = []
  for (let turn = 0; turn < count; turn += 1) made.push(await create(app, resource))
  return made
}

function idsOf(records: readonly Stored[]): readonly number[] {
  return records.map(({ id }) => id)
}

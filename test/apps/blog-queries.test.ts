import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blogApp } from '../support/apps/blog-app.ts'
import { prepareApp } from '../support/apps/prepare.ts'
import {
  bootRecorded,
  planOf,
  type RecordedApp,
  type Statement,
} from '../support/apps/recorded-app.ts'
import { assertStatus } from './suite/answers.ts'
import { type Caller, register } from './suite/blog/caller.ts'
import { comments, posts, tags } from './suite/blog/resources.ts'
import { send } from './suite/http.ts'
import { create } from './suite/resource.ts'

/** The URL of each list, with the index that must find and sort its records. */
const lists = [
  ['posts', 'SCAN posts USING INDEX posts_created_at_id_idx'],
  ['posts?page=400', 'SCAN posts USING INDEX posts_created_at_id_idx'],
  ['posts?published=true', 'SEARCH posts USING INDEX posts_published_created_at_id_idx'],
  ['posts?published=false', 'SEARCH posts USING INDEX posts_published_created_at_id_idx'],
  ['posts?author_id=1', 'SEARCH posts USING INDEX posts_author_id_created_at_id_idx'],
  ['posts?author_id=1&published=true', 'SEARCH posts USING INDEX'],
  ['posts?tag=red', 'SCAN posts USING INDEX posts_created_at_id_idx'],
  ['posts?tag=red&author_id=1', 'SEARCH posts USING INDEX posts_author_id_created_at_id_idx'],
  ['comments', 'SCAN comments USING INDEX comments_created_at_id_idx'],
  ['comments?post_id=1', 'SEARCH comments USING INDEX comments_post_id_created_at_id_idx'],
  ['comments?author_id=1', 'SEARCH comments USING INDEX comments_author_id_created_at_id_idx'],
  ['tags', 'SCAN tags USING INDEX tags_created_at_id_idx'],
] as const

/** More records than the largest page of 100. */
const recordCount = 101

describe('the queries of examples/blog-app', () => {
  let running: RecordedApp
  let caller: Caller

  beforeAll(async () => {
    await prepareApp(blogApp.folder)
    running = await bootRecorded(blogApp)
    caller = await register(running.app)
    await fill(caller, await register(running.app))
  })

  afterAll(() => running.stop())

  test.each(lists)('the list %s finds and sorts its records by an index', async (path, way) => {
    const [page = '', ...others] = await plansOf(await queriesOf(path))
    expect(page).toContain(way)
    expect(page).not.toContain('TEMP B-TREE')
    for (const plan of [page, ...others]) expect(plan).not.toMatch(/SCAN (?!sub$)\w+$/m)
  })

  test('the filter by tag uses the indexes of the tags and the link table', async () => {
    for (const plan of (await plansOf(await queriesOf('posts?tag=red'))).slice(0, 2)) {
      expect(plan).toContain('USING COVERING INDEX tags_slug_key (slug=?)')
      expect(plan).toContain('USING COVERING INDEX _posts_tags_AB_unique (A=? AND B=?)')
    }
  })

  test('relations are read by their keys alone', async () => {
    for (const path of ['posts?page_size=100', 'comments?page_size=100', 'posts/1']) {
      const [, ...related] = await plansOf(await queriesOf(path))
      expect(related.length).toBeGreaterThan(2)
      for (const plan of related.slice(path.includes('?') ? 1 : 0)) {
        expect(plan).toContain('SEARCH')
        expect(plan).not.toMatch(/SCAN (?!sub$)/m)
      }
    }
  })

  test('the comments of a post are the first of their index', async () => {
    const plans = await plansOf(await queriesOf('posts/1'))
    const ofComments = plans.filter((plan) => plan.includes('SEARCH comments'))
    expect(ofComments).toHaveLength(2)
    for (const plan of ofComments) {
      expect(plan).toMatch(/INDEX comments_post_id_created_at_id_idx \(post_id=\?\)/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  test.each(['posts', 'posts?tag=red', 'posts?search=e', 'comments', 'tags'])(
    'of %s are equally many for a page of 100 records and a page of 1',
    async (path) => {
      const and = path.includes('?') ? '&' : '?'
      const one = await queriesOf(`${path}${and}page_size=1`)
      const hundred = await queriesOf(`${path}${and}page_size=100`)
      expect(hundred.map(tableOf)).toEqual(one.map(tableOf))
      expect(one.length).toBe(path === 'tags' ? 2 : 4)
    },
  )

  test('a post with a hundred comments needs one query more than a post with one: it counts', async () => {
    const tables = (await queriesOf('posts/2')).map(tableOf)
    expect((await queriesOf('posts/1')).map(tableOf)).toEqual([...tables, 'comments'])
  })

  test('without its indexes, a list sorts or scans all records', async () => {
    const [page] = await queriesOf('posts')
    const [ofPost] = await queriesOf('comments?post_id=1')
    if (page === undefined || ofPost === undefined) throw new Error('no list was read')
    const client = running.open()
    const transaction = await client.transaction('write')
    try {
      await transaction.execute('DROP INDEX posts_created_at_id_idx')
      await transaction.execute('DROP INDEX comments_post_id_created_at_id_idx')
      expect(await planOf(transaction, page)).toContain('USE TEMP B-TREE FOR ORDER BY')
      expect((await planOf(transaction, ofPost)).join()).toContain('SCAN')
    } finally {
      await transaction.rollback()
      client.close()
    }
  })

  /** Returns the queries of the application for a GET below /api/v1, without the read of the caller. */
  async function queriesOf(path: string): Promise<readonly Statement[]> {
    const statements = await running.recorded(async () => {
      assertStatus(await send(caller.app, { path: `/api/v1/${path}` }), 200)
    })
    return statements.filter(
      ({ sql }) => sql.startsWith('SELECT') && !sql.includes('token_version'),
    )
  }

  /** Returns the plan of each query, without schema names. */
  function plansOf(queries: readonly Statement[]): Promise<readonly string[]> {
    return Promise.all(
      queries.map(async (query) =>
        (await planOf(running.client, query)).join('\n').replaceAll('main.', ''),
      ),
    )
  }
})

/** Creates posts of two authors and two tags. All comments but one belong to the first post. */
async function fill(one: Caller, other: Caller): Promise<void> {
  const both = [one.app, other.app]
  for (const slug of ['red', 'blue']) await create(one.app, tags, { name: slug, slug })
  for (let turn = 0; turn < recordCount; turn += 1) {
    const app = both[turn % 2] ?? one.app
    await create(app, posts, { tags: turn % 3 === 0 ? ['red'] : ['red', 'blue'] })
    await create(app, comments, { post_id: turn === 1 ? 2 : 1, content: 'x' })
  }
}

function tableOf({ sql }: Statement): string {
  const [, table = sql] = /FROM (?:\(SELECT .*? FROM )?`main`\.`(\w+)`/.exec(sql) ?? []
  return table
}

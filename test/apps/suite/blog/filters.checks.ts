import assert from 'node:assert/strict'
import { assertFaults } from '../answers.ts'
import type { Check } from '../check.ts'
import { send } from '../http.ts'
import { create, list, type Stored, update } from '../resource.ts'
import { register, unique } from './caller.ts'
import { library } from './library.ts'
import { posts, tags } from './resources.ts'

/** Checks of the post filters. Each check reads only the posts of a new author. */
export const filterChecks: readonly Check[] = [
  {
    title: 'published, tag, search and author_id filter the posts, alone and combined',
    run: async (app) => {
      const { made, queries } = await library(app)
      assert.equal(made.length, 24)
      for (const { query, isMeant } of queries) {
        const { records, total } = await list(app, posts, `${query}&page_size=100`)
        assert.ok(records.every(isMeant), `${query} leaves what it should not`)
        if (!/author_id|tag|search/.test(query)) continue // posts of other checks match too
        const expected = idsOf(made.filter(isMeant)).toReversed()
        assert.deepEqual(idsOf(records), expected, query)
        assert.equal(total, expected.length, query)
      }
    },
  },
  {
    title: 'total counts all records that match the filters',
    run: async (app) => {
      const { made, queries } = await library(app)
      for (const { query, isMeant } of queries.filter((each) => each.query.includes('author_id'))) {
        const expected = idsOf(made.filter(isMeant)).toReversed()
        const walked: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / 5) + 1; page += 1) {
          const read = await list(app, posts, `${query}&page=${page}&page_size=5`)
          assert.equal(read.total, expected.length, `${query} on page ${page}`)
          walked.push(...idsOf(read.records))
        }
        assert.deepEqual(walked, expected, query)
      }
    },
  },
  {
    title: 'filtering by an absent author or tag returns an empty list',
    run: async (app) => {
      await create((await register(app)).app, posts)
      for (const query of ['author_id=900000091', `tag=${unique()}`, `search=${unique()}`]) {
        assert.deepEqual(await list(app, posts, query), { records: [], total: 0 }, query)
      }
      const { id } = await register(app)
      assert.deepEqual(await list(app, posts, `author_id=${id}`), { records: [], total: 0 })
    },
  },
  {
    title: 'the filter tag matches a whole slug, not a name or a part',
    run: async (app) => {
      const { app: caller } = await register(app)
      const tag = await create(caller, tags, { name: unique(), slug: `tag-${unique()}` })
      await create(caller, posts, { tags: [tag.slug] })
      const slug = String(tag.slug)
      assert.equal((await list(app, posts, `tag=${slug}`)).total, 1)
      for (const part of [slug.slice(0, -1), slug.slice(4), String(tag.name), `${slug}%25`]) {
        assert.equal((await list(app, posts, `tag=${part}`)).total, 0, part)
      }
    },
  },
  {
    title: 'filters see an update at once',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const { slug } = await create(caller, tags)
      const { id } = await create(caller, posts, { published: false })
      const count = async (query: string) =>
        (await list(app, posts, `author_id=${author}&${query}`)).total
      await update(caller, posts, id, { published: true, tags: [slug], title: 'Aardvark' })
      for (const query of ['published=true', `tag=${slug}`, 'search=aardvark']) {
        assert.equal(await count(query), 1, query)
      }
      await update(caller, posts, id, { published: false, tags: [], title: 'Zebra' })
      for (const query of ['published=true', `tag=${slug}`, 'search=aardvark']) {
        assert.equal(await count(query), 0, query)
      }
      assert.equal(await count('published=false&search=zebra'), 1)
    },
  },
  {
    title: 'an invalid or repeated filter answers 400, which names it',
    run: async (app) => {
      const wrong = [
        ...['yes', '1', '0', 'TRUE', 'null', '', 'true%20'].map((each) => ['published', each]),
        ...['abc', '0', '-1', '1.5', '', '1abc', '1e3', '1.0', '01', '0x1'].map((each) => [
          'author_id',
          each,
        ]),
      ] as const
      for (const [name = '', value] of wrong) {
        assertFaults(await send(app, { path: `/api/v1/posts?${name}=${value}` }), [name])
      }
      for (const name of ['published', 'author_id', 'tag', 'search']) {
        const value = name === 'published' ? 'true' : '1'
        const path = `/api/v1/posts?${name}=${value}&${name}=${value}`
        assertFaults(await send(app, { path }), [name])
      }
      const several = '/api/v1/posts?published=x&author_id=x&page=0&page_size=0'
      const names = ['published', 'author_id', 'page', 'page_size']
      assertFaults(await send(app, { path: several }), names)
    },
  },
]

function idsOf(records: readonly Stored[]): readonly number[] {
  return records.map(({ id }) => id)
}

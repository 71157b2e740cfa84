import assert from 'node:assert/strict'
import { assertFaults } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { send } from '../http.ts'
import { create, find, list, listPage } from '../resource.ts'
import { register } from './caller.ts'
import { posts } from './resources.ts'

/** In the order of their code points: U+FF5E comes before U+1F600, but not in UTF-16. */
const titles = [
  '10',
  '9',
  'B',
  'Z',
  'a',
  'a',
  'a ',
  'aa',
  'z',
  '\u00e4',
  '\u0436',
  '\uff5e',
  '\u{1f600}',
]

/** Checks of the order and the ranges of the posts. */
export const postListChecks: readonly Check[] = [
  {
    title: 'title and author_id sort the posts, and a cursor continues with equal titles',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const shuffled = titles.map((title, i) => ({ title, key: (i * 5) % titles.length }))
      for (const { title } of shuffled.sort((a, b) => a.key - b.key)) {
        await create(caller, posts, { title })
      }
      const mine = `author_id=${author}`
      assert.deepEqual(await titlesOf(app, `${mine}&sort=title`), titles)
      assert.deepEqual(await titlesOf(app, `${mine}&sort=-title`), titles.toReversed())
      assert.deepEqual(await titlesOf(app, `${mine}&sort=author_id,-title`), titles.toReversed())
    },
  },
  {
    title: 'views filters the posts by value and by range',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      for (const views of [0, 1, 2, 3]) {
        const { id } = await create(caller, posts)
        for (let read = 0; read < views; read += 1) await find(app, posts, id)
      }
      const total = async (query: string) =>
        (await list(app, posts, `author_id=${author}&${query}`)).total
      assert.equal(await total('views=2'), 1)
      assert.equal(await total('views[gte]=2'), 2)
      assert.equal(await total('views[gt]=2'), 1)
      assert.equal(await total('views[lte]=2&views[gt]=0'), 2)
      assert.equal(await total('views[lt]=0'), 0)
      assertFaults(await send(app, { path: `${posts.path}?views[gte]=x` }), ['views[gte]'])
      assertFaults(await send(app, { path: `${posts.path}?sort=views` }), ['sort'])
    },
  },
]

/** Walks a list by cursors and returns the titles. */
async function titlesOf(app: AppUnderTest, query: string): Promise<unknown[]> {
  let page = await listPage(app, posts, `${query}&page_size=5`)
  const found = page.records.map(({ title }) => title)
  const [filter] = query.split('&')
  while (page.next !== null) {
    page = await listPage(app, posts, `${filter}&cursor=${page.next}&page_size=5`)
    found.push(...page.records.map(({ title }) => title))
  }
  return found
}

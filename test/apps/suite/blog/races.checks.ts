import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { create, find, list, post, put, remove, type Stored } from '../resource.ts'
import { register, unique } from './caller.ts'
import { posts, tags } from './resources.ts'

const rounds = 8

/** Checks of requests that run during a removal. */
export const raceChecks: readonly Check[] = [
  {
    title: 'reading and publishing a post during its removal answers 2xx or 404',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (let round = 0; round < rounds; round += 1) {
        const { id } = await create(caller, posts, { published: false })
        const path = `${posts.path}/${id}`
        const others = (): readonly Promise<Reply>[] => [
          send(app, { path }),
          send(caller, { method: 'POST', path: `${path}/publish` }),
          put(caller, posts, id, { tags: [], published: true }),
        ]
        await assertAllThereOr404(caller, id, others, round)
        assertError(await send(app, { path }), 404)
      }
    },
  },
  {
    title: 'no post has a tag that was deleted concurrently',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      for (let round = 0; round < rounds; round += 1) {
        const { id, slug } = await create(caller, tags)
        const made = await create(caller, posts, { tags: [] })
        const take = (): readonly Promise<Reply>[] => [
          post(caller, posts, { title: unique(), tags: [slug] }),
          put(caller, posts, made.id, { tags: [slug] }),
        ]
        const before = round % 2 === 0 ? take() : []
        const removed = remove(caller, tags, id)
        for (const reply of await Promise.all([...before, ...take()])) {
          assertStatus(reply, 200, 201, 400)
        }
        assertStatus(await removed, 204)
        assert.deepEqual((await find(app, posts, made.id)).tags, [])
        const { records, total } = await list(app, posts, `author_id=${author}&page_size=100`)
        assert.equal(records.length, total)
        for (const each of records) assert.deepEqual(each.tags, [], 'a tag that is gone is shown')
      }
    },
  },
  {
    title: 'one of several concurrent sets of tags is stored completely',
    run: async (app) => {
      const { app: caller } = await register(app)
      const slugs: string[] = []
      for (let turn = 0; turn < 3; turn += 1) slugs.push(String((await create(caller, tags)).slug))
      const [a = '', b = '', c = ''] = slugs
      const sets = [[a], [b], [c], [a, b], [b, c], []]
      const { id } = await create(caller, posts, { tags: [] })
      for (let round = 0; round < rounds; round += 1) {
        const replies = await Promise.all(sets.map((set) => put(caller, posts, id, { tags: set })))
        for (const reply of replies) assertStatus(reply, 200)
        const kept = slugsOf(await find(app, posts, id))
        assert.ok(
          sets.some((set) => set.join() === kept.join()),
          `kept were ${kept}`,
        )
      }
    },
  },
]

function slugsOf({ tags: kept }: Stored): readonly string[] {
  assert.ok(Array.isArray(kept), 'the post has no tags')
  return kept.map((tag: { slug?: unknown }) => String(tag.slug))
}

/** Deletes the post concurrently with other requests; in even rounds some are sent before the DELETE. */
async function assertAllThereOr404(
  caller: AppUnderTest,
  id: number,
  others: () => readonly Promise<Reply>[],
  round: number,
): Promise<void> {
  const before = round % 2 === 0 ? others() : []
  const removed = remove(caller, posts, id)
  for (const reply of await Promise.all([...before, ...others()])) {
    if (reply.status !== 200) assertError(reply, 404)
  }
  assertStatus(await removed, 204)
}

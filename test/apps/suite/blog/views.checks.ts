import assert from 'node:assert/strict'
import { assertStatus } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { send } from '../http.ts'
import { create, findWhole, update } from '../resource.ts'
import { register, unique } from './caller.ts'
import { comments, posts } from './resources.ts'

/** Checks of views: each read of one post counts as one view. */
export const viewChecks: readonly Check[] = [
  {
    title: 'a read counts as a view and shows it',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      for (const expected of [1, 2, 3]) assert.equal(await read(app, id), expected)
      assert.equal(await read(caller, id), 4, 'its author reads too')
    },
  },
  {
    title: 'a list shows views and does not count any',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const { id } = await create(caller, posts)
      await read(app, id)
      for (let turn = 0; turn < 3; turn += 1) assert.equal(await listed(app, author), 1)
      assert.equal(await read(app, id), 2)
    },
  },
  {
    title: 'a read changes neither updated_at nor the order',
    run: async (app) => {
      const { app: caller } = await register(app)
      const made = await create(caller, posts)
      for (let turn = 0; turn < 10; turn += 1) await read(app, made.id)
      assert.equal((await findWhole(app, posts, made.id)).updated_at, made.updated_at)
    },
  },
  {
    title: 'two hundred concurrent reads add two hundred views',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      const seen = await Promise.all(Array.from({ length: 200 }, () => read(app, id)))
      assert.equal(await read(app, id), 201)
      for (const views of seen) assert.ok(views >= 1 && views <= 200, `a reading said ${views}`)
    },
  },
  {
    title: 'concurrent reads and updates lose neither views nor changes',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      const title = unique()
      const updates = Array.from({ length: 20 }, () => update(caller, posts, id, { title }))
      await Promise.all([...updates, ...Array.from({ length: 40 }, () => read(app, id))])
      const after = await findWhole(app, posts, id)
      assert.deepEqual([after.views, after.title], [41, title])
    },
  },
  {
    title: 'updating, publishing and commenting do not count as views',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const { id } = await create(caller, posts, { published: false })
      await update(caller, posts, id, { content: 'changed' })
      const path = `/api/v1/posts/${id}/publish`
      assertStatus(await send(caller, { method: 'POST', path }), 200)
      await create(caller, comments, { post_id: id })
      assert.equal(await listed(app, author), 0)
    },
  },
  {
    title: 'each post has its own views',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = [await create(caller, posts), await create(caller, posts)]
      for (let turn = 0; turn < 3; turn += 1) await read(app, one.id)
      assert.equal(await read(app, two.id), 1)
    },
  },
]

async function read(app: AppUnderTest, id: number): Promise<number> {
  return Number((await findWhole(app, posts, id)).views)
}

/** Returns the views of the author's only post, from the list. */
async function listed(app: AppUnderTest, author: number): Promise<number> {
  const reply = await send(app, { path: `/api/v1/posts?author_id=${author}` })
  assertStatus(reply, 200)
  return JSON.parse(reply.text).posts[0].views
}

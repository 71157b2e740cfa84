import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { jsonOf } from '../http.ts'
import { create, find, findWhole, freshBody, list, post, put, recordOf } from '../resource.ts'
import { register, unique } from './caller.ts'
import { comments, posts, tags } from './resources.ts'

/** Checks of posts: drafts, authors and read-only fields. */
export const postChecks: readonly Check[] = [
  {
    title: 'a post with only a title is an empty draft of its caller',
    run: async (app) => {
      const caller = await register(app)
      const title = unique()
      const reply = await post(caller.app, posts, { title })
      assertStatus(reply, 201)
      const { id } = recordOf(posts, reply)
      const whole = await findWhole(app, posts, id)
      const { created_at, updated_at, ...rest } = whole
      assert.deepEqual(rest, {
        ...{ id, title, content: '', published: false, views: 1, tags: [] },
        ...{ comments: [], comments_total: 0 },
        ...{ author_id: caller.id, author: { id: caller.id, name: caller.name } },
      })
      const { comments: none, comments_total, ...row } = whole
      assert.deepEqual(jsonOf(reply), { ...row, views: 0 })
    },
  },
  {
    title: 'the author of a post is its caller, even if the body names another',
    run: async (app) => {
      const [caller, other] = [await register(app), await register(app)]
      const author = { id: other.id, name: other.name }
      for (const said of [{ author_id: other.id }, { author }, { author_id: 'x', author: 1 }]) {
        const made = await create(caller.app, posts, said)
        assert.equal(made.author_id, caller.id)
        assert.deepEqual(made.author, { id: caller.id, name: caller.name })
        const body = { ...freshBody(posts), ...said }
        assertStatus(await put(caller.app, posts, made.id, body), 200)
        assert.equal((await find(app, posts, made.id)).author_id, caller.id)
      }
      assert.equal((await list(app, posts, `author_id=${other.id}`)).total, 0)
    },
  },
  {
    title: 'views and comments in the body of a post are ignored and do not count as a change',
    run: async (app) => {
      const { app: caller, id: author_id } = await register(app)
      const made = await create(caller, posts, { views: 900, comments: [{ content: 'x' }] })
      for (const change of [{ views: 900 }, { comments: [] }, { author_id }, { author: null }]) {
        assertError(await put(caller, posts, made.id, change), 400)
      }
      assertStatus(await put(caller, posts, made.id, { title: unique(), views: 900 }), 200)
      const { views, comments: none } = await findWhole(app, posts, made.id)
      assert.deepEqual({ views, none }, { views: 1, none: [] })
    },
  },
  {
    title: 'a post can be sent back as it was read, also by another user as a copy',
    run: async (app) => {
      const [one, two] = [await register(app), await register(app)]
      const slugs = [await create(one.app, tags), await create(one.app, tags)].map(
        (tag) => tag.slug,
      )
      const { id } = await create(one.app, posts, { tags: slugs, published: true })
      await create(two.app, comments, { post_id: id })
      const read = await findWhole(app, posts, id)
      assertStatus(await put(one.app, posts, id, read), 200)
      const after = await findWhole(app, posts, id)
      const { updated_at, views } = after
      assert.deepEqual(after, { ...read, updated_at, views })
      assert.equal(views, Number(read.views) + 1)
      const copied = await post(two.app, posts, read)
      assertStatus(copied, 201)
      const copy = await findWhole(app, posts, recordOf(posts, copied).id)
      assert.equal(copy.author_id, two.id)
      assert.deepEqual([copy.views, copy.comments], [1, []])
      for (const key of ['title', 'content', 'published', 'tags']) {
        assert.deepEqual(copy[key], read[key])
      }
    },
  },
  {
    title: 'an empty title is rejected in a create and in an update',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const made = await create(caller, posts)
      assertFaults(await post(caller, posts, { title: '', content: 'x' }), ['title'])
      assertFaults(await put(caller, posts, made.id, { title: '' }), ['title'])
      assert.deepEqual(await find(app, posts, made.id), made)
      assert.equal((await list(app, posts, `author_id=${author}`)).total, 1)
    },
  },
  {
    title: 'a content of 100 kB reads back complete from the post and the list',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      for (const content of ['0123456789'.repeat(10_000), 'Ж🎉e\u0301'.repeat(10_000)]) {
        const { id } = await create(caller, posts, { content })
        assert.ok((await find(app, posts, id)).content === content, 'another content, alone')
        const [first] = (await list(app, posts, `author_id=${author}`)).records
        assert.ok(first?.content === content, 'another content, in the list')
      }
    },
  },
]

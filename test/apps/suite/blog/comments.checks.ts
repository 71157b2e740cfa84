import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus, objectOf } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { send } from '../http.ts'
import { create, find, findWhole, list, post, put, remove, update } from '../resource.ts'
import { register } from './caller.ts'
import { comments, posts } from './resources.ts'

/** Checks of comments and their posts. */
export const commentChecks: readonly Check[] = [
  {
    title: 'a comment belongs to its caller and to the post that it names',
    run: async (app) => {
      const [author, reader] = [await register(app), await register(app)]
      const { id: post_id } = await create(author.app, posts)
      const said = { post_id, content: 'well said', author_id: author.id }
      const remark = await create(reader.app, comments, said)
      assert.deepEqual([remark.post_id, remark.author_id], [post_id, reader.id])
      assert.equal((await find(author.app, comments, remark.id)).content, 'well said')
    },
  },
  {
    title: 'a comment on an absent post answers 404 and is not stored',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      assertStatus(await remove(caller, posts, id), 204)
      for (const post_id of [id, 900_000_081]) {
        assertError(await post(caller, comments, { post_id, content: 'x' }), 404)
        assert.equal((await list(caller, comments, `post_id=${post_id}`)).total, 0)
      }
    },
  },
  {
    title: 'an empty comment is rejected',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id: post_id } = await create(caller, posts)
      assertFaults(await post(caller, comments, { post_id, content: '' }), ['content'])
      const remark = await create(caller, comments, { post_id })
      assertFaults(await put(caller, comments, remark.id, { content: '' }), ['content'])
      assert.deepEqual(await find(caller, comments, remark.id), remark)
      assert.equal((await list(caller, comments, `post_id=${post_id}`)).total, 1)
    },
  },
  {
    title: 'a post is read with its comments, oldest first',
    run: async (app) => {
      const [author, reader] = [await register(app), await register(app)]
      const [one, two] = [await create(author.app, posts), await create(author.app, posts)]
      const made: number[] = []
      for (const { app: caller } of [author, reader, reader, author]) {
        made.push((await create(caller, comments, { post_id: one.id })).id)
        await create(caller, comments, { post_id: two.id })
      }
      const read = await commentsOf(app, one.id)
      const ids = read.map(({ id }) => id)
      assert.deepEqual(ids, made)
      for (const each of read) {
        const alone = await find(author.app, comments, Number(each.id))
        for (const key of comments.keys) assert.deepEqual(each[key], alone[key], key)
      }
    },
  },
  {
    title: 'a post embeds its newest fifty comments without itself, and counts all',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id: post_id } = await create(caller, posts)
      for (let turn = 0; turn < 53; turn += 1) await create(caller, comments, { post_id })
      const { records } = await list(caller, comments, `post_id=${post_id}&page_size=50`)
      const whole = await findWhole(app, posts, post_id)
      assert.equal(whole.comments_total, 53)
      const read = await commentsOf(app, post_id)
      assert.deepEqual(
        read.map(({ id }) => id),
        records.map(({ id }) => id).toReversed(),
      )
      for (const each of read) assert.equal('post' in each, false, 'a comment repeats its post')
      assertStatus(await put(caller, posts, post_id, whole), 200)
    },
  },
  {
    title: 'a changed or deleted comment is changed or deleted in its post',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id: post_id } = await create(caller, posts)
      const [one, two] = [
        await create(caller, comments, { post_id }),
        await create(caller, comments, { post_id }),
      ]
      assert.equal((await commentsOf(app, post_id)).length, 2)
      await update(caller, comments, one.id, { content: 'changed' })
      assertStatus(await remove(caller, comments, two.id), 204)
      const contents = (await commentsOf(app, post_id)).map(({ content }) => content)
      assert.deepEqual(contents, ['changed'])
    },
  },
  {
    title: 'deleting a post deletes its comments and no others',
    run: async (app) => {
      const [author, reader] = [await register(app), await register(app)]
      const [gone, kept] = [await create(author.app, posts), await create(author.app, posts)]
      const lost = [
        await create(author.app, comments, { post_id: gone.id }),
        await create(reader.app, comments, { post_id: gone.id }),
      ]
      const left = await create(reader.app, comments, { post_id: kept.id })
      assertStatus(await remove(author.app, posts, gone.id), 204)
      for (const { id } of lost) {
        assertError(await send(reader.app, { path: `/api/v1/comments/${id}` }), 404)
      }
      assert.equal((await list(reader.app, comments, `post_id=${gone.id}`)).total, 0)
      assert.deepEqual(await find(reader.app, comments, left.id), left)
    },
  },
  {
    title: 'a comment that is added while its post is deleted does not remain',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (let round = 0; round < 8; round += 1) {
        const { id: post_id } = await create(caller, posts)
        const remark = () => post(caller, comments, { post_id, content: 'late' })
        const before = Array.from({ length: round % 4 }, remark)
        const removed = remove(caller, posts, post_id)
        const replies = await Promise.all([...before, remark(), remark()])
        assertStatus(await removed, 204)
        for (const reply of replies) assertStatus(reply, 201, 404)
        assert.equal((await list(caller, comments, `post_id=${post_id}`)).total, 0)
      }
    },
  },
]

async function commentsOf(app: AppUnderTest, id: number) {
  const { comments: read } = await findWhole(app, posts, id)
  assert.ok(Array.isArray(read), 'comments is no array')
  return read.map((each: unknown) => objectOf(each, 'a comment'))
}

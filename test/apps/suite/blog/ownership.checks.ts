import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { send } from '../http.ts'
import {
  create,
  find,
  freshBody,
  put,
  type Resource,
  remove,
  type Stored,
  update,
} from '../resource.ts'
import { register } from './caller.ts'
import { comments, posts, tags } from './resources.ts'

const absentId = 900_000_061

/** Checks of ownership. */
export const ownershipChecks: readonly Check[] = [
  ...ownedChecks(posts, (caller) => create(caller, posts)),
  ...ownedChecks(comments, async (caller) => {
    const { id } = await create(caller, posts)
    return create(caller, comments, { post_id: id })
  }),
  {
    title: "posts: publishing an absent post answers 404, publishing another user's post 403",
    run: async (app) => {
      const [owner, other] = [await register(app), await register(app)]
      const made = await create(owner.app, posts, { published: false })
      assertError(await publish(other.app, absentId), 404)
      assertError(await publish(owner.app, absentId), 404)
      assertError(await publish(other.app, made.id), 403)
      assert.deepEqual(await find(app, posts, made.id), made)
      const empty = await create(owner.app, posts, { published: false, content: '' })
      assertError(await publish(other.app, empty.id), 403)
    },
  },
  {
    title: 'the author of a post cannot change its comments, nor the reverse',
    run: async (app) => {
      const [author, reader] = [await register(app), await register(app)]
      const made = await create(author.app, posts)
      const remark = await create(reader.app, comments, { post_id: made.id })
      assert.equal(remark.author_id, reader.id)
      assertError(await put(author.app, comments, remark.id, { content: 'x' }), 403)
      assertError(await remove(author.app, comments, remark.id), 403)
      assertError(await remove(reader.app, posts, made.id), 403)
      assert.deepEqual(await find(reader.app, comments, remark.id), remark)
    },
  },
  {
    title: 'every caller can change and delete every tag',
    run: async (app) => {
      const [one, two] = [await register(app), await register(app)]
      const tag = await create(one.app, tags)
      const { name } = freshBody(tags)
      assert.equal((await update(two.app, tags, tag.id, { name })).name, name)
      assertStatus(await remove(two.app, tags, tag.id), 204)
    },
  },
]

function ownedChecks(
  resource: Resource,
  make: (caller: AppUnderTest) => Promise<Stored>,
): readonly Check[] {
  const { plural } = resource
  return [
    {
      title: `${plural}: an update or delete by another user answers 403 and changes nothing`,
      run: async (app) => {
        const [owner, other] = [await register(app), await register(app)]
        const made = await make(owner.app)
        for (const body of [
          { content: 'taken' },
          { content: 'taken', author_id: other.id },
          made,
        ]) {
          assertError(await put(other.app, resource, made.id, body), 403)
        }
        assertError(await remove(other.app, resource, made.id), 403)
        assert.deepEqual(await find(owner.app, resource, made.id), made)
        assertStatus(await put(owner.app, resource, made.id, { content: 'kept' }), 200)
        assertStatus(await remove(owner.app, resource, made.id), 204)
      },
    },
    {
      title: `${plural}: an absent record answers 404 to every caller, not 403`,
      run: async (app) => {
        const [owner, other] = [await register(app), await register(app)]
        const { id } = await make(owner.app)
        assertStatus(await remove(owner.app, resource, id), 204)
        for (const absent of [id, absentId]) {
          assertError(await put(other.app, resource, absent, { content: 'x' }), 404)
          assertError(await remove(other.app, resource, absent), 404)
        }
      },
    },
    {
      title: `${plural}: the author in a body does not change the owner of a record`,
      run: async (app) => {
        const [owner, other] = [await register(app), await register(app)]
        const made = await make(owner.app)
        const body = { content: 'kept', author_id: other.id }
        assert.equal((await update(owner.app, resource, made.id, body)).author_id, owner.id)
        assertError(await remove(other.app, resource, made.id), 403)
        assert.equal((await find(owner.app, resource, made.id)).author_id, owner.id)
      },
    },
  ]
}

function publish(app: AppUnderTest, id: number) {
  return send(app, { method: 'POST', path: `/api/v1/posts/${id}/publish` })
}

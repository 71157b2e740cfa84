import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { create, find, list, post, put, recordOf, update } from '../resource.ts'
import { assertText, register, unique } from './caller.ts'
import { posts } from './resources.ts'

const refusal = 'cannot publish incomplete post'

/** Checks of drafts and publishing. */
export const publishChecks: readonly Check[] = [
  {
    title: 'publish answers 200 with the published post, also the second time',
    run: async (app) => {
      const { app: caller } = await register(app)
      const draft = await create(caller, posts, { published: false })
      for (let turn = 0; turn < 2; turn += 1) {
        const reply = await publish(caller, draft.id)
        assertStatus(reply, 200)
        const record = recordOf(posts, reply)
        const { updated_at } = record
        assert.deepEqual(record, { ...draft, published: true, updated_at })
        assert.deepEqual(await find(app, posts, draft.id), record)
      }
    },
  },
  {
    title: 'publishing a post without content answers 422 "cannot publish incomplete post"',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const content of ['', undefined]) {
        const draft = await create(caller, posts, { published: false, content })
        const reply = await publish(caller, draft.id)
        assertError(reply, 422)
        assertText(reply, 422, refusal)
        assert.deepEqual(await find(app, posts, draft.id), draft)
      }
    },
  },
  {
    title: 'creating a published post without content answers 422 and creates nothing',
    run: async (app) => {
      const { app: caller, id } = await register(app)
      for (const content of ['', undefined]) {
        const body = { title: unique(), content, published: true }
        assertText(await post(caller, posts, body), 422, refusal)
      }
      assert.equal((await list(app, posts, `author_id=${id}`)).total, 0)
    },
  },
  {
    title: 'an update that publishes a post without content answers 422 and changes nothing',
    run: async (app) => {
      const { app: caller } = await register(app)
      const draft = await create(caller, posts, { published: false, content: '' })
      const changes = [{ published: true }, { published: true, title: unique() }]
      for (const change of [...changes, { published: true, content: '' }]) {
        assertText(await put(caller, posts, draft.id, change), 422, refusal)
      }
      assert.deepEqual(await find(app, posts, draft.id), draft)
    },
  },
  {
    title: 'emptying a published post answers 422 and changes nothing',
    run: async (app) => {
      const { app: caller } = await register(app)
      const made = await create(caller, posts, { published: true })
      for (const change of [{ content: '' }, { content: '', title: unique() }]) {
        assertText(await put(caller, posts, made.id, change), 422, refusal)
      }
      assert.deepEqual(await find(app, posts, made.id), made)
    },
  },
  {
    title: 'one update can fill and publish a draft, or empty and withdraw a post',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts, { published: false, content: '' })
      const full = await update(caller, posts, id, { content: 'x', published: true })
      assert.deepEqual([full.content, full.published], ['x', true])
      const empty = await update(caller, posts, id, { content: '', published: false })
      assert.deepEqual([empty.content, empty.published], ['', false])
      assert.deepEqual(await find(app, posts, id), empty)
    },
  },
  {
    title: 'a draft stays unpublished through other updates and can be emptied',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts, { published: false })
      assert.equal((await update(caller, posts, id, { title: unique() })).published, false)
      assert.equal((await update(caller, posts, id, { content: '' })).content, '')
      assert.equal((await find(app, posts, id)).published, false)
    },
  },
  {
    title: 'concurrent publishing and emptying never leave an empty published post',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (let round = 0; round < 15; round += 1) {
        const { id } = await create(caller, posts, { published: false })
        const acts = [() => publish(caller, id), () => put(caller, posts, id, { content: '' })]
        const inTurn = round % 2 === 0 ? acts : acts.toReversed()
        for (const reply of await Promise.all(inTurn.map((act) => act()))) {
          assertStatus(reply, 200, 422)
        }
        const { content, published } = await find(app, posts, id)
        assert.ok(!(published === true && content === ''), 'an empty post is published')
      }
    },
  },
  {
    title: 'publish rejects an invalid id',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const id of ['abc', '0', '-1', '1.5']) assertError(await publish(caller, id), 400)
      assertError(await publish(caller, 900_000_071), 404)
    },
  },
]

function publish(app: AppUnderTest, id: number | string): Promise<Reply> {
  return send(app, { method: 'POST', path: `/api/v1/posts/${id}/publish` })
}

import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { create, find } from '../resource.ts'
import { register, unique } from './caller.ts'
import { comments, posts } from './resources.ts'

/** Checks of conditional requests. */
export const conditionalChecks: readonly Check[] = [
  {
    title: 'an ETag holds until its post changes: 304 until then, 412 afterwards',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      const etag = etagOf(await ask(app, id))
      assert.equal((await ask(app, id, { 'If-None-Match': etag })).status, 304)
      await create(caller, comments, { post_id: id })
      const fresh = await ask(app, id, { 'If-None-Match': etag })
      assertStatus(fresh, 200)
      const changed = await change(caller, id, etag)
      assertStatus(changed, 200)
      for (const stale of [etag, etagOf(fresh), `W/${etagOf(changed)}`]) {
        assertRefused(await change(caller, id, stale))
        assertRefused(await ask(caller, id, { 'If-Match': stale }, 'DELETE'))
      }
      assertStatus(await change(caller, id, `"x", ${etagOf(changed)}`), 200)
      assertStatus(await ask(caller, id, { 'If-Match': '*' }, 'DELETE'), 204)
    },
  },
  {
    title: 'one of twenty concurrent updates with the same If-Match succeeds',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id } = await create(caller, posts)
      const etag = etagOf(await ask(app, id))
      const replies = await Promise.all(Array.from({ length: 20 }, () => change(caller, id, etag)))
      const statuses = replies.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 412)])
      const [winner] = replies.filter(({ status }) => status === 200)
      assert.equal(JSON.parse(winner?.text ?? '{}').title, (await find(app, posts, id)).title)
    },
  },
]

function ask(app: AppUnderTest, id: number, headers = {}, method = 'GET'): Promise<Reply> {
  return send(app, { method, path: `/api/v1/posts/${id}`, headers })
}

function change(app: AppUnderTest, id: number, etag: string): Promise<Reply> {
  const json = { title: unique() }
  const headers = { 'If-Match': etag }
  return send(app, { method: 'PUT', path: `/api/v1/posts/${id}`, headers, json })
}

function etagOf({ headers, call }: Reply): string {
  assert.match(String(headers.etag), /^"[^"]+"$/, `${call} has no strong ETag`)
  return String(headers.etag)
}

function assertRefused(reply: Reply): void {
  assertError(reply, 412)
  assert.equal(JSON.parse(reply.text).error, 'the record has changed')
}

import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { create, put } from '../resource.ts'
import { login, loginPath, register, registration } from './caller.ts'
import { tryRegister } from './register.checks.ts'
import { comments, posts } from './resources.ts'

/** Checks of data that no response may contain. */
export const privacyChecks: readonly Check[] = [
  {
    title: 'no response contains a password or its hash',
    run: async (app) => {
      const body = registration()
      const caller = await register(app, body)
      const replies = [
        await tryRegister(app, registration()),
        await tryRegister(app, body),
        await tryRegister(app, { ...body, name: 1 }),
        await login(app, { email: body.email, password: body.password }),
        await login(app, { email: body.email, password: `${body.password}x` }),
        ...(await publicAnswers(caller.app)),
      ]
      for (const { text, call } of replies) {
        assert.ok(!text.includes(body.password), `${call} holds the password`)
        assert.doesNotMatch(text, /password_?hash|"hash"|"salt"/i, call)
        assert.doesNotMatch(text, /\$2[aby]?\$|\$argon2|\$scrypt|\$pbkdf2/, `${call} holds a hash`)
        assert.doesNotMatch(text, /"password":/, `${call} tells of passwords`)
      }
    },
  },
  {
    title: 'no public response contains an e-mail address; an author is an id and a name',
    run: async (app) => {
      const caller = await register(app)
      for (const { text, call } of await publicAnswers(caller.app)) {
        assert.ok(!text.toLowerCase().includes(caller.email), `${call} holds the e-mail`)
      }
      const { author } = await create(caller.app, posts)
      assert.deepEqual(author, { id: caller.id, name: caller.name })
    },
  },
  {
    title: 'users can be neither listed nor read nor changed',
    run: async (app) => {
      const { app: caller, id } = await register(app)
      for (const path of ['/api/v1/users', `/api/v1/users/${id}`, '/api/v1/auth/users']) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          assertError(await send(caller, { method, path }), 404)
        }
      }
      assertError(await send(caller, { path: loginPath }), 405)
    },
  },
]

/** Returns every kind of response that contains posts and comments of the caller. */
async function publicAnswers(caller: Parameters<typeof create>[0]): Promise<readonly Reply[]> {
  const { id, author_id } = await create(caller, posts)
  const remark = await create(caller, comments, { post_id: id })
  const replies = [
    await put(caller, posts, id, { content: 'changed' }),
    await put(caller, comments, remark.id, { content: 'changed' }),
    await send(caller, { method: 'POST', path: `/api/v1/posts/${id}/publish` }),
    await send(caller, { path: `/api/v1/posts/${id}` }),
    await send(caller, { path: `/api/v1/posts?author_id=${author_id}` }),
    await send(caller, { path: `/api/v1/comments/${remark.id}` }),
    await send(caller, { path: `/api/v1/comments?post_id=${id}` }),
  ]
  for (const reply of replies) assertStatus(reply, 200)
  return replies
}

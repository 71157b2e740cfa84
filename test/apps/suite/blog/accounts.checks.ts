import assert from 'node:assert/strict'
import { assertFaults, assertStatus, instantOf, objectOf } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { jsonOf, type Reply, send } from '../http.ts'
import { create, find } from '../resource.ts'
import { assertText, bearer, type Caller, login, register, sessionOf } from './caller.ts'
import { posts } from './resources.ts'
import { assertInvalid } from './tokens.checks.ts'

const mePath = '/api/v1/auth/me'
const refusal = 'invalid credentials'

/** Checks of the routes of a user's own account. */
export const accountChecks: readonly Check[] = [
  {
    title: 'the caller reads id, name, e-mail, role and creation time of the account',
    run: async (app) => {
      const { app: caller, id, name, email } = await register(app)
      const { created_at, ...rest } = objectOf(jsonOf(await me(caller)), mePath)
      assert.deepEqual(rest, { id, name, email, role: 'user' })
      assert.ok(Math.abs(instantOf(created_at, 'created_at') - Date.now()) < 60_000)
    },
  },
  {
    title: 'logging out ends its token, and no other token of the user',
    run: async (app) => {
      const first = await register(app)
      const others = [await again(app, first), await again(app, first)]
      for (const token of others) {
        assertStatus(await post(app, token, 'logout'), 204)
        await assertInvalid(app, token)
        assertText(await post(app, token, 'logout'), 401, 'Invalid token')
      }
      for (const token of others) await assertInvalid(app, token)
      assertStatus(await me(first.app), 200)
    },
  },
  {
    title: 'tokens of one user that log out at once all end',
    run: async (app) => {
      const first = await register(app)
      const tokens = await Promise.all(Array.from({ length: 8 }, () => again(app, first)))
      const replies = await Promise.all(tokens.map((token) => post(app, token, 'logout')))
      for (const reply of replies) assertStatus(reply, 204)
      for (const token of tokens) await assertInvalid(app, token)
      assertStatus(await me(first.app), 200)
    },
  },
  {
    title: 'logging out everywhere ends every token of the user, and of no other user',
    run: async (app) => {
      const [one, other] = [await register(app), await register(app)]
      const token = await again(app, one)
      assertStatus(await post(app, token, 'logout-all'), 204)
      for (const ended of [one.token, token]) await assertInvalid(app, ended)
      assertStatus(await me(other.app), 200)
      assertStatus(await send(app, { path: mePath, headers: bearer(await again(app, one)) }), 200)
    },
  },
  {
    title: 'changing the password ends every token of the user but the one that changed it',
    run: async (app) => {
      const caller = await register(app)
      const { email, password } = caller
      const other = await again(app, caller)
      const next = `${password} 2`
      const { token } = sessionOf(
        await post(app, caller.token, 'password', { current: password, next }),
        200,
      )
      await assertInvalid(app, other)
      for (const live of [caller.token, token]) {
        assertStatus(await send(app, { path: mePath, headers: bearer(live) }), 200)
      }
      assertText(await login(app, { email, password }), 401, refusal)
      sessionOf(await login(app, { email, password: next }), 200)
    },
  },
  {
    title: 'changing the password needs the current one, and a next one of eight characters',
    run: async (app) => {
      const { token, email, password } = await register(app)
      const change = (json: unknown) => post(app, token, 'password', json)
      const wrong = await change({ current: `${password}x`, next: 'another password' })
      assertText(wrong, 401, refusal)
      assertFaults(await change({ current: password, next: 'seven..' }), ['next'])
      assertFaults(await change({ curent: password }), ['curent', 'current', 'next'])
      sessionOf(await login(app, { email, password }), 200)
    },
  },
  {
    title: 'a deleted user is gone, and a new user with the same e-mail is another user',
    run: async (app) => {
      const { token, id, email, password } = await register(app)
      assertStatus(await removeMe(app, token, password), 204)
      await assertInvalid(app, token)
      assertText(await login(app, { email, password }), 401, refusal)
      assert.notEqual((await register(app, { email, password })).id, id)
      await assertInvalid(app, token)
    },
  },
  {
    title: 'deleting the account needs the password',
    run: async (app) => {
      const { token, app: caller } = await register(app)
      assertText(await removeMe(app, token, 'another password'), 401, refusal)
      assertFaults(
        await send(app, { method: 'DELETE', path: mePath, json: {}, headers: bearer(token) }),
        ['password'],
      )
      assertStatus(await me(caller), 200)
    },
  },
  {
    title: 'a user to whom posts refer is not deleted: 409',
    run: async (app) => {
      const { token, app: caller, password, id } = await register(app)
      const written = await create(caller, posts)
      assertStatus(await removeMe(app, token, password), 409)
      assertStatus(await me(caller), 200)
      assert.equal((await find(app, posts, written.id)).author_id, id)
    },
  },
  {
    title: 'a password is the same in composed and decomposed letters',
    run: async (app) => {
      const { email } = await register(app, { password: 'u\u0308ber geheim' })
      sessionOf(await login(app, { email, password: '\u00fcber geheim' }), 200)
      sessionOf(await login(app, { email, password: 'u\u0308ber geheim' }), 200)
    },
  },
]

function me(app: AppUnderTest): Promise<Reply> {
  return send(app, { path: mePath })
}

function post(app: AppUnderTest, token: string, name: string, json?: unknown): Promise<Reply> {
  const path = `/api/v1/auth/${name}`
  const headers = bearer(token)
  return send(app, { method: 'POST', path, headers, ...(json !== undefined && { json }) })
}

function removeMe(app: AppUnderTest, token: string, password: string): Promise<Reply> {
  const headers = bearer(token)
  return send(app, { method: 'DELETE', path: mePath, json: { password }, headers })
}

/** Logs the user in again and returns the token. */
async function again(app: AppUnderTest, { email, password }: Caller): Promise<string> {
  return sessionOf(await login(app, { email, password }), 200).token
}

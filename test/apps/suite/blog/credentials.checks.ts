import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { type Call, send } from '../http.ts'
import { assertText, bearer, register, unique } from './caller.ts'

const absentId = 900_000_051

const missing = 'Authorization header required'
const malformed = 'Invalid authorization format'
const invalid = 'Invalid token'

/** Every protected route, with invalid bodies and ids: the credential must be checked first. */
const protectedCalls: readonly Call[] = [
  { path: '/api/v1/auth/me' },
  { method: 'DELETE', path: '/api/v1/auth/me', json: {} },
  { method: 'POST', path: '/api/v1/auth/password', json: {} },
  { method: 'POST', path: '/api/v1/posts', json: {} },
  { method: 'PUT', path: `/api/v1/posts/${absentId}`, json: {} },
  { method: 'PATCH', path: `/api/v1/posts/${absentId}`, json: {} },
  { method: 'DELETE', path: `/api/v1/posts/${absentId}` },
  { method: 'POST', path: `/api/v1/posts/${absentId}/publish` },
  { path: '/api/v1/comments' },
  { path: `/api/v1/comments?post_id=${absentId}` },
  { path: `/api/v1/comments/${absentId}` },
  { method: 'POST', path: '/api/v1/comments', json: {} },
  { method: 'PUT', path: `/api/v1/comments/${absentId}`, json: {} },
  { method: 'PATCH', path: `/api/v1/comments/${absentId}`, json: {} },
  { method: 'DELETE', path: `/api/v1/comments/${absentId}` },
  { method: 'POST', path: '/api/v1/tags', json: {} },
  { method: 'PUT', path: `/api/v1/tags/${absentId}`, json: {} },
  { method: 'PATCH', path: `/api/v1/tags/${absentId}`, json: {} },
  { method: 'DELETE', path: `/api/v1/tags/${absentId}` },
  { method: 'POST', path: '/api/v1/uploads', json: {} },
]

const openPaths = ['/api/v1/posts', '/api/v1/tags'] as const

/** Checks of the `Authorization` header. */
export const credentialChecks: readonly Check[] = [
  {
    title: 'every protected route without a credential answers 401 "Authorization header required"',
    run: async (app) => {
      for (const call of protectedCalls) {
        const reply = await send({ baseUrl: app.baseUrl }, call)
        assertError(reply, 401)
        assertText(reply, 401, missing)
      }
    },
  },
  {
    title: 'every protected route with an invalid token answers 401 "Invalid token"',
    run: async (app) => {
      for (const call of protectedCalls) {
        assertText(await send(app, { ...call, headers: bearer('x.y.z') }), 401, invalid)
      }
    },
  },
  {
    title:
      'every 401 names the scheme Bearer in WWW-Authenticate, and a bad token as invalid_token',
    run: async ({ baseUrl }) => {
      for (const call of protectedCalls) {
        const bare = await send({ baseUrl }, call)
        assert.match(String(bare.headers['www-authenticate']), /^Bearer\b(?!.*error=)/, bare.call)
        const headers = bearer('x.y.z')
        const refused = String(
          (await send({ baseUrl }, { ...call, headers })).headers['www-authenticate'],
        )
        assert.match(refused, /^Bearer\b.*\berror="invalid_token"/, bare.call)
      }
      const json = { email: `${unique()}@example.com`, password: 'password' }
      const login = await send({ baseUrl }, { method: 'POST', path: '/api/v1/auth/login', json })
      assert.match(String(login.headers['www-authenticate']), /^Bearer\b/)
    },
  },
  {
    title: 'every protected route accepts a valid token',
    run: async ({ baseUrl }) => {
      const { app } = await register({ baseUrl })
      for (const call of protectedCalls) {
        const reply = await send(app, call)
        assertStatus(reply, 200, 400, 404)
      }
    },
  },
  {
    title: 'reading posts and tags needs no credential',
    run: async ({ baseUrl }) => {
      for (const path of openPaths) {
        assertStatus(await send({ baseUrl }, { path }), 200)
        assertError(await send({ baseUrl }, { path: `${path}/${absentId}` }), 404)
        assertStatus(await send({ baseUrl }, { path, headers: bearer('of.long.ago') }), 200)
      }
    },
  },
  {
    title:
      'an Authorization header other than "Bearer <token>" answers 401 "Invalid authorization format"',
    run: async (app) => {
      const { token } = await register(app)
      const formats = [
        ...['Bearer', `bearer ${token}`, `BEARER ${token}`, `Bearer  ${token}`, token],
        ...[`Bearer ${token} x`, `Bearer ${token} ${token}`, `Token ${token}`, `JWT ${token}`],
        ...[`Bearer${token}`, `Bearer\t${token}`, `Bearer:${token}`, `"Bearer" ${token}`],
        ...['Basic YTpi', `Bearer ${token},Bearer ${token} x`, 'x'],
      ]
      for (const Authorization of formats) {
        const reply = await send(app, { path: '/api/v1/comments', headers: { Authorization } })
        assertError(reply, 401)
        assertText(reply, 401, malformed, `with ${Authorization}`)
      }
    },
  },
  {
    // An empty header may count as a missing header.
    title: 'an empty Authorization header answers 401',
    run: async (app) => {
      for (const Authorization of ['', ' ', 'Bearer ']) {
        const reply = await send(app, { path: '/api/v1/comments', headers: { Authorization } })
        assertStatus(reply, 401)
        const { error } = JSON.parse(reply.text)
        assert.ok([missing, malformed].includes(error), `${reply.call}: ${error}`)
      }
    },
  },
  {
    title: 'a token counts only in the Authorization header',
    run: async ({ baseUrl }) => {
      const { token, email, password } = await register({ baseUrl })
      const queries = ['token', 'access_token', 'jwt', 'authorization', 'Authorization', 'auth']
      for (const name of queries) {
        const path = `/api/v1/comments?${name}=${token}`
        assertText(await send({ baseUrl }, { path }), 401, missing, name)
      }
      const basic = Buffer.from(`${email}:${password}`).toString('base64')
      const others = [
        { Cookie: `token=${token}; jwt=${token}; access_token=${token}` },
        { 'X-Access-Token': token, 'X-Auth-Token': token, Token: token },
        { 'X-Authorization': `Bearer ${token}`, 'Proxy-Authorization': `Bearer ${token}` },
      ]
      for (const headers of others) {
        assertText(await send({ baseUrl }, { path: '/api/v1/comments', headers }), 401, missing)
      }
      const body = { title: unique(), token, access_token: token }
      const call = { method: 'POST', path: '/api/v1/posts', json: body }
      assertText(await send({ baseUrl }, call), 401, missing)
      const headers = { Authorization: `Basic ${basic}` }
      assertText(await send({ baseUrl }, { path: '/api/v1/comments', headers }), 401, malformed)
    },
  },
]

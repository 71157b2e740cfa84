import assert from 'node:assert/strict'
import { assertStatus, type JsonObject } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { create } from '../resource.ts'
import { assertText, bearer, login, register, sessionOf } from './caller.ts'
import { decodeToken, partOf, rs256Token, signedToken, unsignedTokens } from './jwt.ts'
import { posts } from './resources.ts'

const clockSkewSeconds = 60

/** Secrets that applications often contain. */
const literals = [
  ...['secret', 'changeme', 'change-me', 'jwt_secret', 'JWT_SECRET', 'your-secret-key', 'test'],
  ...['your-256-bit-secret', 'supersecret', 'undefined', 'null', '', '0'.repeat(32)],
  ...['change-me-change-me-change-me-change-me', 'a-string-secret-at-least-256-bits-long'],
]

/** Checks of the claims of tokens and of invalid tokens. */
export const tokenChecks: readonly Check[] = [
  {
    title: 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
    run: async (app) => {
      const { id, email, password, token } = await register(app)
      const again = sessionOf(await login(app, { email, password }), 200).token
      for (const each of [token, again]) {
        const { header, claims } = decodeToken(each)
        assert.equal(header.alg, 'HS256')
        assert.deepEqual(Object.keys(claims).sort(), ['email', 'exp', 'iat', 'user_id'])
        assert.equal(claims.user_id, id)
        assert.equal(String(claims.email).toLowerCase(), email)
        assert.equal(Number(claims.exp) - Number(claims.iat), 24 * 60 * 60)
        const age = Date.now() / 1000 - Number(claims.iat)
        assert.ok(Math.abs(age) < clockSkewSeconds, `iat is ${age} s ago`)
      }
    },
  },
  {
    title: 'a malformed token answers "Invalid token"',
    run: async (app) => {
      const texts = ['x', '.', '..', '...', 'a.b', 'a.b.c', 'null', 'undefined', '{}', '%00', '"x"']
      for (const token of texts) await assertInvalid(app, token)
      await assertInvalid(app, 'x'.repeat(7000))
    },
  },
  {
    title: 'a token without a signature is rejected, whatever algorithm it names',
    run: async (app) => {
      const { claims, parts } = decodeToken((await register(app)).token)
      for (const token of unsignedTokens(claims)) await assertInvalid(app, token)
      await assertInvalid(app, `${parts[0]}.${parts[1]}.`)
      await assertInvalid(app, `${parts[0]}.${parts[1]}`)
    },
  },
  {
    title: 'a modified token is rejected',
    run: async (app) => {
      const { token } = await register(app)
      const { header, claims, parts } = decodeToken(token)
      const [head, body, signature] = parts
      const changes: readonly JsonObject[] = [
        { user_id: Number(claims.user_id) + 1 },
        { user_id: 1 },
        { email: 'eve@example.com' },
        { exp: Number(claims.exp) + 1 },
        { role: 'admin' },
      ]
      for (const change of changes) {
        await assertInvalid(app, `${head}.${partOf({ ...claims, ...change })}.${signature}`)
      }
      for (const alg of ['HS384', 'HS512', 'RS256', 'none']) {
        await assertInvalid(app, `${partOf({ ...header, alg })}.${body}.${signature}`)
      }
      const first = signature.startsWith('A') ? 'B' : 'A'
      await assertInvalid(app, `${head}.${body}.${first}${signature.slice(1)}`)
      await assertInvalid(app, `${head}.${body}.${signature.slice(0, -4)}`)
      await assertInvalid(app, `${token}.${signature}`)
      assertStatus(await calls(app, token), 200)
    },
  },
  {
    title: 'a token signed with another secret or a key pair is rejected',
    run: async (app) => {
      const { claims } = decodeToken((await register(app)).token)
      for (const secret of [...literals, 'another secret that is long enough, 7146']) {
        await assertInvalid(app, signedToken(claims, secret))
        await assertInvalid(app, signedToken(claims, secret, 'HS512'))
      }
      await assertInvalid(app, rs256Token(claims))
    },
  },
  {
    title: 'a token identifies its own user, and a later token does not end it',
    run: async (app) => {
      const [one, two] = [await register(app), await register(app)]
      const { email, password } = one
      const again = sessionOf(await login(app, { email, password }), 200).token
      assert.notEqual(one.token, two.token)
      for (const token of [one.token, two.token, again]) {
        assertStatus(await calls(app, token), 200)
        const made = await create({ ...app, headers: bearer(token) }, posts)
        assert.equal(made.author_id, token === two.token ? two.id : one.id)
      }
    },
  },
]

/** Throws unless the token is rejected with the message of the contract. */
export async function assertInvalid(app: AppUnderTest, token: string): Promise<void> {
  assertText(await calls(app, token), 401, 'Invalid token', `with ${token.slice(0, 200)}`)
}

/** Returns the response of a protected route to a token. */
export function calls(app: AppUnderTest, token: string): Promise<Reply> {
  return send(app, { path: '/api/v1/comments?page_size=1', headers: bearer(token) })
}

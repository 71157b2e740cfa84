import assert from 'node:assert/strict'
import { eventually } from '../../../support/apps/eventually.ts'
import { assertError, assertStatus, type JsonObject } from '../answers.ts'
import { send } from '../http.ts'
import { type ProcessCheck, withApp } from '../process.ts'
import { create, find, list, post, put, remove } from '../resource.ts'
import { assertRefused } from '../settings.checks.ts'
import { assertText, bearer, login, register } from './caller.ts'
import { decodeToken, partOf, rs256Token, signedToken, unsignedTokens } from './jwt.ts'
import { comments, posts, tags } from './resources.ts'
import { assertInvalid, calls } from './tokens.checks.ts'

const JWT_SECRET = 'a secret of the conformance suite, 7147'

/** Checks of JWT_SECRET and of tokens that depend on it. */
export const secretChecks: readonly ProcessCheck[] = [
  {
    title: 'a missing JWT_SECRET or one below 32 bytes stops the start',
    run: async ({ runToExit }) => {
      const short = 'short-secret-7148-of-31-bytes--'
      for (const secret of [undefined, '', 'x', short]) {
        const exit = await runToExit({ JWT_SECRET: secret })
        assertRefused(exit, ['JWT_SECRET'])
        assert.ok(!`${exit.stdout}${exit.stderr}`.includes(short), 'the secret is shown')
      }
      const several = await runToExit({ JWT_SECRET: short, PORT: 'abc', LOG_LEVEL: 'loudly' })
      assertRefused(several, ['JWT_SECRET', 'PORT', 'LOG_LEVEL'])
    },
  },
  {
    title: 'a JWT_SECRET of 32 bytes of any characters is accepted',
    run: async ({ boot }) => {
      for (const secret of ['x'.repeat(32), 'ä'.repeat(16)]) {
        const booting = boot({ JWT_SECRET: secret }).catch(({ message }) =>
          assert.fail(`a secret of ${Buffer.byteLength(secret)} bytes is refused: ${message}`),
        )
        await withApp(booting, async (app) => {
          const { token, id } = await register(app)
          const own = signedToken(decodeToken(token).claims, secret)
          assertStatus(await calls(app, own), 200)
          assert.equal(decodeToken(token).claims.user_id, id)
        })
      }
    },
  },
  {
    title: 'a token with the right secret is accepted only with all claims and HS256',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET }), async (app) => {
        const { claims } = decodeToken((await register(app)).token)
        assertStatus(await calls(app, signedToken(claims, JWT_SECRET)), 200)
        for (const token of badTokens(claims)) await assertInvalid(app, token)
      }),
  },
  {
    title: 'a token of an absent user answers "Invalid token" everywhere',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET }), async (app) => {
        const { app: caller, token } = await register(app)
        const { id: post_id } = await create(caller, posts)
        const tag = await create(caller, tags)
        for (const user_id of [900_000_098, 2 ** 31, 2 ** 53 - 1]) {
          const claims = { ...decodeToken(token).claims, user_id }
          const nobody = { ...app, headers: bearer(signedToken(claims, JWT_SECRET)) }
          const replies = [
            await post(nobody, posts, { title: 'x' }),
            await post(nobody, comments, { post_id, content: 'x' }),
            await put(nobody, tags, tag.id, { name: 'x' }),
            await remove(nobody, tags, tag.id),
          ]
          for (const reply of replies) assertText(reply, 401, 'Invalid token')
        }
        assert.deepEqual(await find(app, tags, tag.id), tag)
        assert.equal((await list(app, posts)).total, 1)
        assert.equal((await list(caller, comments)).total, 0)
      }),
  },
  {
    title: 'an expired token is rejected, and a token that expires soon is accepted',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET }), async (app) => {
        const { claims } = decodeToken((await register(app)).token)
        const now = Math.floor(Date.now() / 1000)
        for (const exp of [now - 1, now - 60, now - 86_400, 1]) {
          const token = signedToken({ ...claims, iat: exp - 86_400, exp }, JWT_SECRET)
          await assertInvalid(app, token)
        }
        const soon = signedToken({ ...claims, exp: now + 60 }, JWT_SECRET)
        assertStatus(await calls(app, soon), 200)
        const past = signedToken({ ...claims, exp: now - 1 }, JWT_SECRET)
        const call = { method: 'POST', path: posts.path, json: { title: 'x' } }
        assertError(await send(app, { ...call, headers: bearer(past) }), 401)
      }),
  },
  {
    title: 'users and tokens survive a restart, and a new secret ends all tokens',
    run: async ({ boot, freshDatabase }) => {
      const DATABASE_URL = await freshDatabase()
      const owner = await withApp(boot({ DATABASE_URL, JWT_SECRET }), async (app) => {
        const caller = await register(app)
        await create(caller.app, posts)
        return caller
      })
      const { email, password, token, id } = owner
      await withApp(boot({ DATABASE_URL, JWT_SECRET }), async (app) => {
        assertStatus(await calls(app, token), 200)
        const made = await create({ ...app, headers: bearer(token) }, posts)
        assert.equal(made.author_id, id)
        assertStatus(await login(app, { email, password }), 200)
      })
      await withApp(boot({ DATABASE_URL, JWT_SECRET: `${JWT_SECRET}!` }), async (app) => {
        await assertInvalid(app, token)
        assertStatus(await login(app, { email, password }), 200)
      })
    },
  },
  {
    title: 'the log contains no password, no token and no secret',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET, LOG_LEVEL: 'info' }), async (app) => {
        const { email, password, token, app: caller } = await register(app)
        const wrong = `${password}-wrong`
        await login(app, { email, password })
        await login(app, { email, password: wrong })
        await login(app, { email, password, role: 'x' })
        await create(caller, posts)
        await send(caller, { path: '/api/v1/comments/900000097' })
        await eventually(() => app.output().includes('900000097'), 5000)
        const { stdout, stderr } = await app.stop()
        const signature = decodeToken(token).parts[2]
        for (const secret of [password, wrong, token, signature, JWT_SECRET]) {
          assert.ok(!`${stdout}${stderr}`.includes(secret), `the log tells ${secret}`)
        }
      }),
  },
]

/** Returns tokens with one fault each. Most are signed with the right secret. */
function badTokens(claims: JsonObject): readonly string[] {
  const without = (name: string): JsonObject => ({ ...claims, [name]: undefined })
  const wrongIds = ['1', 0, -1, 1.5, null, [], { $gt: 0 }]
  return [
    ...unsignedTokens(claims),
    signedToken(claims, JWT_SECRET, 'HS384'),
    signedToken(claims, JWT_SECRET, 'HS512'),
    signedToken(claims, JWT_SECRET, 'HS256', { alg: 'HS512', typ: 'JWT' }),
    signedToken(claims, JWT_SECRET, 'HS256', { alg: 'none', typ: 'JWT' }),
    signedToken(claims, JWT_SECRET, 'HS256', { typ: 'JWT' }),
    signedToken(claims, `${JWT_SECRET} `),
    signedToken(claims, Buffer.from(JWT_SECRET).toString('base64')),
    rs256Token(claims),
    ...['user_id', 'email', 'exp'].map((name) => signedToken(without(name), JWT_SECRET)),
    ...wrongIds.map((user_id) => signedToken({ ...claims, user_id }, JWT_SECRET)),
    ...[1, null, ''].map((email) => signedToken({ ...claims, email }, JWT_SECRET)),
    ...['tomorrow', null].map((exp) => signedToken({ ...claims, exp }, JWT_SECRET)),
    ...[null, [], 'x', 1, true].map((other) => signedToken(other, JWT_SECRET)),
    ...[null, [], 'x', 1].map((head) => signedToken(claims, JWT_SECRET, 'HS256', head)),
    `${partOf({ alg: 'HS256' })}.${partOf(claims)}.`,
  ]
}

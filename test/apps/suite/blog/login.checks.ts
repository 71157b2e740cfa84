import assert from 'node:assert/strict'
import { assertError, assertFaults } from '../answers.ts'
import type { Check } from '../check.ts'
import { wrongValues } from '../fields.ts'
import { send } from '../http.ts'
import { assertText, login, register, sessionOf, unique } from './caller.ts'

const refusal = 'invalid credentials'

/** Checks of login. No check asserts its duration. */
export const loginChecks: readonly Check[] = [
  {
    title: 'login answers 200 with a token and the user who registered',
    run: async (app) => {
      const { id, name, email, password } = await register(app)
      const { user, token } = sessionOf(await login(app, { email, password }), 200)
      assert.deepEqual(user, { id, name, email })
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    },
  },
  {
    title: 'login accepts an e-mail in any case',
    run: async (app) => {
      const word = unique()
      const { id, email, password } = await register(app, { email: `Ada.${word}@Example.COM` })
      for (const same of [email.toLowerCase(), email.toUpperCase(), email]) {
        const { user } = sessionOf(await login(app, { email: same, password }), 200)
        assert.equal(user.id, id, same)
      }
    },
  },
  {
    title: 'an unknown e-mail and a wrong password get the same response',
    run: async (app) => {
      const { email, password } = await register(app)
      const wrong = await login(app, { email, password: `${password}x` })
      const unknown = await login(app, { email: `${unique()}@example.com`, password })
      for (const reply of [wrong, unknown]) assertText(reply, 401, refusal)
      assert.equal(unknown.text, wrong.text)
      assert.deepEqual(Object.keys(unknown.headers).sort(), Object.keys(wrong.headers).sort())
    },
  },
  {
    title: 'a password that differs slightly is rejected',
    run: async (app) => {
      const { email, password } = await register(app)
      const near = [password.toUpperCase(), ` ${password}`, `${password} `, password.slice(0, -1)]
      for (const each of [...near, password.slice(0, 8)]) {
        assertText(await login(app, { email, password: each }), 401, refusal, each)
      }
      const other = await register(app)
      assertText(await login(app, { email, password: other.password }), 401, refusal)
    },
  },
  {
    title: 'login compares an e-mail literally, not as a pattern',
    run: async (app) => {
      const word = unique()
      const { password } = await register(app, { email: `axb${word}@example.com` })
      const patterns = ['a_b', '%', 'a%b', 'a*b', 'a.b', 'axb%', "axb' OR '1'='1"]
      for (const each of patterns) {
        const reply = await login(app, { email: `${each}${word}@example.com`, password })
        assert.notEqual(reply.status, 200, `${each} logged in`)
        assertError(reply, 401, 400)
      }
    },
  },
  {
    title: 'login names every missing, invalid or unknown field',
    run: async (app) => {
      const { email, password } = await register(app)
      assertFaults(await login(app, {}), ['email', 'password'])
      assertFaults(await login(app, { email }), ['password'])
      assertFaults(await login(app, { password }), ['email'])
      assertFaults(await login(app, { email, password, remember: true }), ['remember'])
      for (const value of wrongValues.string) {
        const said = `with ${JSON.stringify(value)}`
        assertFaults(await login(app, { email: value, password }), ['email'], said)
        assertFaults(await login(app, { email, password: value }), ['password'], said)
      }
    },
  },
  {
    title: 'a body that is no JSON object neither registers nor logs in',
    run: async (app) => {
      for (const path of ['/api/v1/auth/login', '/api/v1/auth/register']) {
        const asJson = { 'Content-Type': 'application/json' }
        for (const body of ['', '{', '[]', 'null', '"x"']) {
          assertError(await send(app, { method: 'POST', path, headers: asJson, body }), 400)
        }
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const body = 'email=a%40example.com&password=12345678'
        assertError(await send(app, { method: 'POST', path, headers: form, body }), 415)
      }
    },
  },
]

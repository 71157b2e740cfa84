import assert from 'node:assert/strict'
import { assertError, assertFaults } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { wrongValues } from '../fields.ts'
import { type Reply, send } from '../http.ts'
import { badEmails } from '../values.checks.ts'
import { assertText, login, register, registerPath, registration, sessionOf } from './caller.ts'

const names = ['name', 'email', 'password'] as const

/** Checks of registration. */
export const registerChecks: readonly Check[] = [
  {
    title: 'registration answers 201 with a token and the user, and nothing else',
    run: async (app) => {
      const body = registration()
      const { user } = sessionOf(await tryRegister(app, body), 201)
      assert.deepEqual(user, { id: user.id, name: body.name, email: body.email })
      assert.notEqual((await register(app)).id, user.id)
    },
  },
  {
    title: 'registration names exactly the missing and invalid fields',
    run: async (app) => {
      assertFaults(await tryRegister(app, {}), names)
      for (const name of names) {
        const missing = { ...registration(), [name]: undefined }
        assertFaults(await tryRegister(app, missing), [name], `without ${name}`)
        for (const value of wrongValues[name === 'email' ? 'email' : 'string']) {
          const body = { ...registration(), [name]: value }
          const said = `with ${name} ${JSON.stringify(value)}`
          assertFaults(await tryRegister(app, body), [name], said)
        }
      }
      const worst = { name: 'A', email: 'ada', password: 'short', role: 'admin' }
      assertFaults(await tryRegister(app, worst), [...names, 'role'])
    },
  },
  {
    title: 'a name has at least two characters and a password eight',
    run: async (app) => {
      for (const name of ['', 'A']) {
        assertFaults(await tryRegister(app, { ...registration(), name }), ['name'], `"${name}"`)
      }
      for (const password of ['', '1234567']) {
        const body = { ...registration(), password }
        assertFaults(await tryRegister(app, body), ['password'], `"${password}"`)
      }
      await register(app, { name: 'Al', password: '12345678' })
    },
  },
  {
    title: 'registration rejects a malformed e-mail',
    run: async (app) => {
      for (const email of badEmails) {
        const said = `with ${JSON.stringify(email)}`
        assertFaults(await tryRegister(app, { ...registration(), email }), ['email'], said)
      }
    },
  },
  {
    title: 'a duplicate e-mail answers 409 "email already registered" in any case',
    run: async (app) => {
      const { email } = await register(app)
      for (const same of [email, email.toUpperCase(), email.replace('e', 'E')]) {
        const reply = await tryRegister(app, { ...registration(), email: same })
        assertError(reply, 409)
        assertText(reply, 409, 'email already registered', `with ${same}`)
      }
    },
  },
  {
    title: 'a duplicate registration does not change the first user',
    run: async (app) => {
      const { email, password, id } = await register(app)
      const late = { ...registration(), email }
      assertError(await tryRegister(app, late), 409)
      assert.equal(sessionOf(await login(app, { email, password }), 200).user.id, id)
      assertError(await login(app, { email, password: late.password }), 401)
    },
  },
  {
    title: 'exactly one of fifty concurrent registrations of one e-mail succeeds',
    run: async (app) => {
      const { email } = registration()
      const attempts = Array.from({ length: 50 }, (_, turn) => {
        const same = turn % 2 === 0 ? email : email.toUpperCase()
        return tryRegister(app, { ...registration(), email: same })
      })
      const replies = await Promise.all(attempts)
      const [made, ...more] = replies.filter(({ status }) => status === 201)
      assert.ok(made !== undefined && more.length === 0, `${more.length + 1} of them answered 201`)
      for (const reply of replies) {
        if (reply !== made) assertText(reply, 409, 'email already registered')
      }
    },
  },
  {
    title: 'every character of a password counts, or the password is rejected',
    run: async (app) => {
      const long = ['x'.repeat(71), 'x'.repeat(72), 'x'.repeat(73), 'ä'.repeat(40), 'x'.repeat(200)]
      for (const start of [
        ' spaces on both sides ',
        'пароль 密码 🔑🔑',
        'nul\u0000nul\u0000nul',
        ...long,
      ]) {
        const password = `${start}!`
        const { email, ...rest } = registration()
        const reply = await tryRegister(app, { ...rest, email, password })
        const said = `a password of ${Buffer.byteLength(password)} bytes`
        if (reply.status !== 201) {
          assertFaults(reply, ['password'], said)
          const isLong = Buffer.byteLength(password) > 72
          assert.ok(isLong || password.includes('\u0000'), `${said} is refused`)
          continue
        }
        sessionOf(await login(app, { email, password }), 200)
        const shorter = [start, password.trim(), password.replaceAll('\u0000', '')]
        const others = [...shorter, `${start}?`, `${password}x`, `${password}\u0000`]
        for (const other of others.filter((each) => each !== password)) {
          assertError(await login(app, { email, password: other }), 401, 400)
        }
      }
    },
  },
]

/** POSTs any JSON value as a registration and returns any response. */
export function tryRegister(app: AppUnderTest, json: unknown): Promise<Reply> {
  return send(app, { method: 'POST', path: registerPath, json })
}

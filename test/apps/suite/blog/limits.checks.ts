import assert from 'node:assert/strict'
import { assertStatus } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { type Reply, send } from '../http.ts'
import { type ProcessCheck, withApp } from '../process.ts'
import { loginPath, register, unique } from './caller.ts'

const JWT_SECRET = 'a secret of the conformance suite, 7149'
const guesses = 500

/** Guesses of one flood that are compared with a hash. The others are refused at once. */
const mostCompared = 350

/** Checks of the limits on log-ins. They use up the attempts of their address, so each has an app of its own. */
export const limitChecks: readonly ProcessCheck[] = [
  {
    title: 'five hundred guesses at one user are limited, and another user logs in beside them',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET }), async (app) => {
        const [victim, other] = [await register(app), await register(app)]
        const [replies, right] = await Promise.all([
          flood(app, () => victim.email),
          loginAlone(app, other.email, other.password),
        ])
        assertStatus(right, 200)
        const compared = limited(replies)
        assert.ok(compared <= 20, `${compared} guesses at one user were compared`)
      }),
  },
  {
    title: 'five hundred guesses at many users are limited, and a known user logs in beside them',
    run: ({ boot }) =>
      withApp(boot({ JWT_SECRET }), async (app) => {
        const { email, password } = await register(app)
        const [replies, right] = await Promise.all([
          flood(app, () => `${unique()}@example.com`),
          loginAlone(app, email, password),
        ])
        assertStatus(right, 200)
        const compared = limited(replies)
        assert.ok(compared <= mostCompared, `${compared} guesses were compared`)
        assertStatus(await loginAlone(app, email, password), 200)
      }),
  },
]

/** Returns the number of replies that say whether the password is right. Throws for another reply without a delay. */
function limited(replies: readonly Reply[]): number {
  const refused = replies.filter(({ status }) => status !== 401)
  for (const reply of refused) {
    assertStatus(reply, 429, 503)
    assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/, 'Retry-After')
  }
  return replies.length - refused.length
}

function flood(app: AppUnderTest, emailOf: () => string): Promise<readonly Reply[]> {
  return Promise.all(
    Array.from({ length: guesses }, () => loginAlone(app, emailOf(), 'a wrong password')),
  )
}

/** Sends the request on a connection of its own: the agent of other checks would queue it. */
function loginAlone(app: AppUnderTest, email: string, password: string): Promise<Reply> {
  const json = { email, password }
  return send(app, { method: 'POST', path: loginPath, json, alone: true })
}

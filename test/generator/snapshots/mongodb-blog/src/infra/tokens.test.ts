import { createSecretKey, randomBytes } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { createTokens } from './tokens.js'

const key = createSecretKey(randomBytes(32))
const caller = { id: 7, email: 'ada@example.com' }
const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
const tokens = createTokens(key, () => clock.now)
const iat = clock.now.getTime() / 1000
const exp = iat + 60
const claims = { user_id: 7, email: 'ada@example.com', iat, exp }

test('a token says who calls, from when and until when', () => {
  const token = tokens.issue(caller)
  expect(tokens.verify(token)).toEqual(caller)
  expect(jwt.decode(token, { complete: true })).toMatchObject({
    header: { alg: 'HS256' },
    payload: { user_id: 7, email: 'ada@example.com', iat, exp: iat + 24 * 60 * 60 },
  })
})

test('a token is valid for 24 hours', () => {
  const token = tokens.issue(caller)
  const after = (ms: number) =>
    createTokens(key, () => new Date(clock.now.getTime() + ms)).verify(token)
  expect(after(24 * 60 * 60 * 1000 - 1)).toEqual(caller)
  expect(after(24 * 60 * 60 * 1000)).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['no token', 'a.b.c'],
  ['another secret', jwt.sign(claims, createSecretKey(randomBytes(32)))],
  ['another algorithm', jwt.sign(claims, key, { algorithm: 'HS512' })],
  ['no algorithm', jwt.sign(claims, null, { algorithm: 'none' })],
  ['no end', jwt.sign({ user_id: 7, email: 'ada@example.com', iat }, key)],
  ['no user', jwt.sign({ email: 'ada@example.com', iat, exp }, key)],
  ['a user that is no id', jwt.sign({ ...claims, user_id: '7' }, key)],
  ['an e-mail address that is none', jwt.sign({ ...claims, email: 7 }, key)],
  ['a time to come', jwt.sign({ ...claims, nbf: iat + 1 }, key)],
  ['a text', jwt.sign('text', key)],
])('a token with %s is not valid', (_, token) => {
  expect(tokens.verify(token)).toBeUndefined()
})

test('a token with one letter changed is not valid', () => {
  const token = jwt.sign(claims, key)
  expect(tokens.verify(token)).toEqual(caller)
  const letters = [...token]
  const changed = letters.map((letter, i) => letters.with(i, letter === 'A' ? 'Z' : 'A').join(''))
  // The last letter of a signature has bits that say nothing.
  expect(changed.slice(0, -1).filter((each) => tokens.verify(each))).toEqual([])
})

import { createSecretKey, randomBytes } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { createTokens } from './tokens.js'

const key = createSecretKey(randomBytes(32))
const user = { id: 7, email: 'ada@example.com', tokenVersion: 3 }
const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
const tokens = createTokens(key, () => clock.now)
const iat = clock.now.getTime() / 1000
const exp = iat + 60
const claims = { user_id: 7, email: 'ada@example.com', iat, exp }

test('a token holds the user and expires after 24 hours', () => {
  const token = tokens.issue(user)
  expect(tokens.verify(token)).toEqual({
    id: expect.any(String),
    userId: 7,
    version: 3,
    expiry: iat + 24 * 60 * 60,
  })
  expect(jwt.decode(token, { complete: true })).toMatchObject({
    header: { alg: 'HS256' },
    payload: { user_id: 7, email: 'ada@example.com', iat, exp: iat + 24 * 60 * 60 },
  })
})

test('verify accepts a token for 24 hours', () => {
  const token = tokens.issue(user)
  const after = (ms: number) =>
    createTokens(key, () => new Date(clock.now.getTime() + ms)).verify(token)
  expect(after(24 * 60 * 60 * 1000 - 1)).toBeDefined()
  expect(after(24 * 60 * 60 * 1000)).toBeUndefined()
})

test.each([
  ['no text', ''],
  ['invalid parts', 'a.b.c'],
  ['another secret', jwt.sign(claims, createSecretKey(randomBytes(32)))],
  ['another algorithm', jwt.sign(claims, key, { algorithm: 'HS512' })],
  ['no algorithm', jwt.sign(claims, null, { algorithm: 'none' })],
  ['no expiry', jwt.sign({ user_id: 7, email: 'ada@example.com', iat }, key)],
  ['no user', jwt.sign({ email: 'ada@example.com', iat, exp }, key)],
  ['a user_id that is not a number', jwt.sign({ ...claims, user_id: '7' }, key)],
  ['an e-mail that is not a string', jwt.sign({ ...claims, email: 7 }, key)],
  ['a start in the future', jwt.sign({ ...claims, nbf: iat + 1 }, key)],
  ['a version as text', jwt.sign(claims, key, { header: { alg: 'HS256', version: '0' } as never })],
  ['a negative version', jwt.sign(claims, key, { header: { alg: 'HS256', version: -1 } as never })],
  [
    'an id that is not a string',
    jwt.sign(claims, key, { header: { alg: 'HS256', jti: 7 } as never }),
  ],
  ['a string as payload', jwt.sign('text', key)],
])('verify rejects a token with %s', (_, token) => {
  expect(tokens.verify(token)).toBeUndefined()
})

test('verify rejects a token with one changed letter', () => {
  const token = jwt.sign(claims, key)
  expect(tokens.verify(token)).toEqual({ id: undefined, userId: 7, version: 0, expiry: exp })
  const letters = [...token]
  const changed = letters.map((letter, i) => letters.with(i, letter === 'A' ? 'Z' : 'A').join(''))
  // The last letter has unused bits, so that several letters encode the same signature.
  expect(changed.slice(0, -1).filter((each) => tokens.verify(each))).toEqual([])
})

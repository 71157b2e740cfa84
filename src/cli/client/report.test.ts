import { expect, test } from 'vitest'
import { AnswerError, NoAnswerError } from '../../../daemon/client/errors.ts'
import { asClientError, exitCodeOf } from './report.ts'

const local = () => ({ name: 'local', url: 'http://127.0.0.1:9000' })
const far = () => ({ name: 'far', url: 'https://example.com' })

test.each([
  [404, 2],
  [401, 4],
  [403, 4],
  [400, 1],
  [409, 1],
  [422, 1],
  [429, 1],
  [500, 1],
  [503, 1],
])('an answer %i ends with %i', (status, code) => {
  expect(exitCodeOf(status)).toBe(code)
  expect(asClientError(new AnswerError(status, 'said'), far).exitCode).toBe(code)
})

test('a token that is not valid leads to logging in to the same daemon', () => {
  const { next } = asClientError(new AnswerError(401, 'the token is not valid'), far)
  expect(next).toEqual(['echo "$TOKEN" | strata login https://example.com --name far'])
})

test('a daemon of this machine that is down leads to starting it', () => {
  const down = new NoAnswerError('nothing listens there', { isSent: false })
  expect(asClientError(down, local).next).toContain('strata daemon start')
  expect(asClientError(down, far).next).not.toContain('strata daemon start')
  expect(asClientError(down, local).exitCode).toBe(1)
})

test('a throttled request says when it may come again', () => {
  const { next } = asClientError(new AnswerError(429, 'too many', {}, '3'), far)
  expect(next).toEqual(['the same again in 3 s'])
})

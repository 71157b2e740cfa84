import { expect, test } from 'vitest'
import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import { asClientError, exitCodeOf } from './report-error.ts'

const local = () => ({ name: 'local', url: 'http://127.0.0.1:9000' })
const remote = () => ({ name: 'remote', url: 'https://example.com' })

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
])('HTTP status %i maps to exit code %i', (status, code) => {
  expect(exitCodeOf(status)).toBe(code)
  expect(asClientError(new ResponseError(status, 'said'), remote).exitCode).toBe(code)
})

test('status 401 advises to log in to the same daemon again', () => {
  const { next } = asClientError(new ResponseError(401, 'the token is not valid'), remote)
  expect(next).toEqual(['echo "$TOKEN" | strata login https://example.com --name remote'])
})

test('only an unreachable local daemon advises strata daemon start', () => {
  const down = new ConnectionError('nothing listens there', { isSent: false })
  expect(asClientError(down, local).next).toContain('strata daemon start')
  expect(asClientError(down, remote).next).not.toContain('strata daemon start')
  expect(asClientError(down, local).exitCode).toBe(1)
})

test('status 429 advises when to retry', () => {
  const { next } = asClientError(new ResponseError(429, 'too many', {}, '3'), remote)
  expect(next).toEqual(['run the command again in 3 s'])
})

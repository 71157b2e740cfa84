import { expect, test } from 'vitest'
import { isOutage } from './outage.js'

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code })

test.each([
  failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  failure('getaddrinfo EAI_AGAIN postgres', 'EAI_AGAIN'),
  failure('the database system is starting up', '57P03'),
  failure('sorry, too many clients already', '53300'),
  failure('timeout expired'),
  failure('timeout exceeded when trying to connect'),
  failure('Connection terminated unexpectedly'),
  new Error('migration 0001 failed: …', { cause: failure('read ECONNRESET', 'ECONNRESET') }),
])('isOutage is true for "$message"', (error) => {
  expect(isOutage(error)).toBe(true)
})

test.each([
  failure('password authentication failed for user "app"', '28P01'),
  failure('database "app" does not exist', '3D000'),
  failure('duplicate key value violates unique constraint', '23505'),
  failure('Invalid URL', 'ERR_INVALID_URL'),
  failure('migration 0001 was changed after it was applied'),
  'no error at all',
])('isOutage is false for "$message"', (error) => {
  expect(isOutage(error)).toBe(false)
})

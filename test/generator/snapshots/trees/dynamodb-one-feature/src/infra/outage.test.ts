import { expect, test } from 'vitest'
import { isConflict, isOutage } from './outage.js'

const failure = (name: string, facts: object = {}) =>
  Object.assign(new Error(name), { name, ...facts })

const cancelled = (...codes: readonly string[]) =>
  failure('TransactionCanceledException', {
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  })

test.each([
  failure('Error', { code: 'ECONNREFUSED' }),
  failure('Error', { code: 'ENOTFOUND' }),
  failure('TimeoutError', { code: 'ETIMEDOUT' }),
  failure('ThrottlingException', { $metadata: { httpStatusCode: 400 } }),
  failure('InternalFailure', { $metadata: { httpStatusCode: 500 } }),
  failure('TransactionConflictException'),
  cancelled('None', 'TransactionConflict'),
])('isOutage is true for "$message"', (error) => {
  expect(isOutage(error)).toBe(true)
})

test.each([
  failure('CredentialsProviderError'),
  failure('ResourceNotFoundException', { $metadata: { httpStatusCode: 400 } }),
  failure('ValidationException', { $metadata: { httpStatusCode: 400 } }),
  cancelled('ConditionalCheckFailed', 'None'),
  'no error at all',
])('isOutage is false for "$message"', (error) => {
  expect(isOutage(error)).toBe(false)
})

test('isConflict is true for a conflicting transaction, and false for a failed condition', () => {
  expect(isConflict(cancelled('None', 'TransactionConflict', 'ThrottlingError'))).toBe(true)
  expect(isConflict(cancelled('TransactionConflict', 'ConditionalCheckFailed'))).toBe(false)
  expect(isConflict(cancelled('None'))).toBe(false)
})

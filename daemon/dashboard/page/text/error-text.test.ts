import { expect, test } from 'vitest'
import { ConnectionError, ResponseError } from '../../../client/errors.ts'
import { asSentence, errorText } from './error-text.ts'

test('an error response gives its sentence and its request id', () => {
  const error = new ResponseError(409, 'the branch is building', {}, undefined, 'r-1')
  expect(errorText(error)).toEqual({ sentence: 'The branch is building.', requestId: 'r-1' })
})

test('a missing answer says so', () => {
  const error = new ConnectionError('no response for 30 s', { isSent: true })
  expect(errorText(error).sentence).toBe('No answer: no response for 30 s.')
})

test('a sentence gets one final point', () => {
  expect(asSentence('ready?')).toBe('Ready?')
  expect(asSentence('ready.')).toBe('Ready.')
})

test('a URL at the start of a sentence keeps its case', () => {
  expect(asSentence('https://ops.example.com is silent')).toBe('https://ops.example.com is silent.')
})

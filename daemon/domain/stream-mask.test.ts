import { expect, test } from 'vitest'
import { createStreamMask } from './stream-mask.ts'

function shown(secrets: readonly string[], chunks: readonly (string | Buffer)[]): string {
  const mask = createStreamMask(secrets)
  const parts = chunks.map((chunk) => mask.push(Buffer.from(chunk as string)))
  return Buffer.concat([...parts, mask.flush()]).toString()
}

test('a secret is masked in one chunk and across any two chunks', () => {
  const text = 'before s3cret-value after s3cret-value'
  const expected = 'before [redacted] after [redacted]'
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(shown(['s3cret-value'], [text.slice(0, cut), text.slice(cut)])).toBe(expected)
  }
  expect(shown(['s3cret-value'], [...text])).toBe(expected)
})

test('a secret that ends with the begin of another one is masked as soon as it is complete', () => {
  const mask = createStreamMask(['xyzabc', 'abcdefgh'])
  expect(Buffer.from(mask.push(Buffer.from('_xyzabc'))).toString()).toBe('_[redacted]')
  expect(shown(['xyzabc', 'abcdefgh'], ['xyzab', 'cdefgh'])).toBe('[redacted]defgh')
})

test('the longer of two secrets with the same begin is masked as a whole', () => {
  expect(shown(['abcdef', 'abcdefghij'], ['abcdef', 'ghij.'])).toBe('[redacted].')
  expect(shown(['abcdef', 'abcdefghij'], ['abcdef', 'ghi.'])).toBe('[redacted]ghi.')
})

test('the lines of a secret with several lines are masked each', () => {
  expect(shown(['first-line\nsecond-line'], ['1 second-line 2'])).toBe('1 [redacted] 2')
})

test('bytes that are no text pass unchanged, and characters may be cut', () => {
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
  const mask = createStreamMask(['geheimnis-ä'])
  expect(Buffer.concat([mask.push(bytes), mask.flush()])).toEqual(bytes)
  const word = Buffer.from('geheimnis-ä')
  expect(shown(['geheimnis-ä'], [word.subarray(0, 11), word.subarray(11)])).toBe('[redacted]')
})

test('output without the begin of a secret is not held back', () => {
  const mask = createStreamMask(['s3cret-value'])
  expect(Buffer.from(mask.push(Buffer.from('Name? '))).toString()).toBe('Name? ')
})

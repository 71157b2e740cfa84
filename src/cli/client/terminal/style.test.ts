import { expect, test } from 'vitest'
import { createPaint, hasColours } from './style.ts'

const terminal = { isTTY: true }
const pipe = {}

test.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a pipe with both', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
])('whether %s gets colours', (_, stream, env, isOn) => {
  expect(hasColours(stream, env)).toBe(isOn)
})

test('without colours a text stays as it is', () => {
  expect(createPaint(false)('red', 'error')).toBe('error')
  expect(createPaint(true)('red', 'error')).toBe('\u001b[31merror\u001b[39m')
})

import { expect, test } from 'vitest'
import { createPaint, hasColors } from './style.ts'

const terminal = { isTTY: true }
const pipe = {}

test.each([
  ['a terminal gets colors', terminal, {}, true],
  ['a pipe gets no colors', pipe, {}, false],
  ['a terminal with NO_COLOR gets no colors', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR gets colors', terminal, { NO_COLOR: '' }, true],
  ['a dumb terminal gets no colors', terminal, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR gets colors', pipe, { FORCE_COLOR: '1' }, true],
  [
    'a pipe with FORCE_COLOR and NO_COLOR gets colors',
    pipe,
    { FORCE_COLOR: '1', NO_COLOR: '1' },
    true,
  ],
  ['a terminal with FORCE_COLOR=0 gets no colors', terminal, { FORCE_COLOR: '0' }, false],
])('%s', (_, stream, env, isOn) => {
  expect(hasColors(stream, env)).toBe(isOn)
})

test('painting without colors returns the text unchanged', () => {
  expect(createPaint(false)('red', 'error')).toBe('error')
  expect(createPaint(true)('red', 'error')).toBe('\u001b[31merror\u001b[39m')
})

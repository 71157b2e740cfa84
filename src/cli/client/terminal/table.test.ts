import { expect, test } from 'vitest'
import { createPaint } from './style.ts'
import { formatTable, truncate } from './table.ts'

const plain = createPaint(false)

test('a table column is as wide as its widest cell', () => {
  expect(
    formatTable(
      ['ID', 'BRANCH', 'STATE'],
      [
        ['1', 'main', 'running'],
        ['12', 'feature/long', 'paused'],
      ],
      { paint: plain },
    ),
  ).toEqual(['ID  BRANCH        STATE', '1   main          running', '12  feature/long  paused'])
})

test('color codes do not widen a table column', () => {
  const paint = createPaint(true)
  const [, one = '', two = ''] = formatTable(
    ['STATE', 'URL'],
    [
      [paint('green', 'running'), 'a'],
      ['paused!', 'b'],
    ],
    { paint },
  )
  expect(one).toBe('\u001b[32mrunning\u001b[39m  a')
  expect(two).toBe('paused!  b')
})

test('the last table column is truncated to the terminal width', () => {
  const rows = [['1', 'a sentence that is longer than the terminal']]
  const [, line = ''] = formatTable(['ID', 'REASON'], rows, { paint: plain, width: 24 })
  expect(line).toBe('1   a sentence that is …')
  expect(line.length).toBe(24)
})

test('truncate keeps a text that fits', () => {
  expect(truncate('abc', 3)).toBe('abc')
  expect(truncate('abcd', 3)).toBe('ab…')
})

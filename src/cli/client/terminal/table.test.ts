import { expect, test } from 'vitest'
import { createPaint } from './style.ts'
import { cut, formatTable } from './table.ts'

const plain = createPaint(false)

test('columns are as wide as their widest cell', () => {
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

test('colours count for no width', () => {
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

test('the last column is cut where the terminal ends', () => {
  const rows = [['1', 'a sentence that is longer than the terminal']]
  const [, line = ''] = formatTable(['ID', 'REASON'], rows, { paint: plain, width: 24 })
  expect(line).toBe('1   a sentence that is …')
  expect(line.length).toBe(24)
})

test('a text that fits is not cut', () => {
  expect(cut('abc', 3)).toBe('abc')
  expect(cut('abcd', 3)).toBe('ab…')
})

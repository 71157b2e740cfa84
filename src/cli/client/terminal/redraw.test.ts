import { expect, test } from 'vitest'
import { createRedraw } from './redraw.ts'

function screenOf(columns: number, rows: number) {
  const written: string[] = []
  return { written, redraw: createRedraw({ columns, rows, write: (text) => written.push(text) }) }
}

test('redrawn lines replace the previous lines', () => {
  const { written, redraw } = screenOf(80, 24)
  redraw(['a', 'b', 'c'])
  redraw(['d'])
  redraw(['e'])
  expect(written).toEqual(['\u001b[Ja\nb\nc\n', '\u001b[3A\r\u001b[Jd\n', '\u001b[1A\r\u001b[Je\n'])
})

test('redrawn lines never exceed the width and the height of the terminal', () => {
  const { written, redraw } = screenOf(4, 4)
  redraw(['abcdef', '2', '3', '4', '5'])
  redraw(['x'])
  expect(written).toEqual(['\u001b[Jabc…\n2\n… 3…\n', '\u001b[3A\r\u001b[Jx\n'])
})

test('a terminal of unknown size counts as 80 columns and 24 rows', () => {
  const { written, redraw } = screenOf(0, 0)
  redraw(['x'.repeat(80)])
  expect(written).toEqual([`\u001b[J${'x'.repeat(80)}\n`])
})

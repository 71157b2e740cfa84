import { expect, test } from 'vitest'
import { createRowHeights } from './row-heights.ts'
import { estimateRows, placeOf, scrollTopOf, windowOf } from './row-window.ts'

function rowsOf(count: number, height = 20) {
  const heights = createRowHeights(1000)
  for (let row = 0; row < count; row += 1) heights.push(height)
  return heights
}

test('the window covers the viewport and a margin, and no more', () => {
  const heights = rowsOf(1000)
  expect(windowOf(heights, 10_000, 400, 100)).toEqual({
    from: 495,
    to: 526,
    top: 9900,
    total: 20_000,
  })
  expect(windowOf(heights, 0, 400, 100)).toMatchObject({ from: 0, to: 26, top: 0 })
  expect(windowOf(heights, 99_999, 400, 100)).toMatchObject({ to: 1000 })
  expect(windowOf(rowsOf(0), 0, 400, 100)).toEqual({ from: 0, to: 0, top: 0, total: 0 })
})

test('the window stays bounded if rows have no height yet', () => {
  const { from, to } = windowOf(rowsOf(1000, 0.1), 50, 400, 100)
  expect(to - from).toBe(400)
})

test('a place stays at its row while older rows are dropped and newer rows arrive', () => {
  const heights = rowsOf(1000)
  const place = placeOf(heights, 10_007)
  expect(place).toEqual({ kind: 'row', seq: 500, offset: 7 })
  for (let row = 0; row < 100; row += 1) heights.push(20)
  expect(scrollTopOf(heights, place, 400)).toBe(8007)
  heights.set(450, 60)
  expect(scrollTopOf(heights, place, 400)).toBe(8047)
  heights.dropBefore(700)
  expect(scrollTopOf(heights, place, 400)).toBe(0)
})

test('the tail is the bottom of the canvas, and the top if everything fits', () => {
  expect(scrollTopOf(rowsOf(100), { kind: 'tail' }, 400)).toBe(1600)
  expect(scrollTopOf(rowsOf(3), { kind: 'tail' }, 400)).toBe(0)
})

test('a long line is estimated as several rows', () => {
  expect([estimateRows('', 80), estimateRows('x'.repeat(81), 80), estimateRows('abc', 0)]).toEqual([
    1, 2, 3,
  ])
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRowHeights } from './row-heights.ts'

test('rows are found by their distance from the top', () => {
  const rows = createRowHeights(10)
  for (const height of [20, 40, 20]) rows.push(height)
  expect(rows.total()).toBe(80)
  expect([0, 1, 2, 3].map(rows.topOf)).toEqual([0, 20, 60, 80])
  expect([-5, 0, 19, 20, 59, 60, 500].map(rows.rowAt)).toEqual([0, 0, 0, 1, 1, 2, 2])
})

test('the table agrees with a plain list after any sequence of changes', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), count: fc.integer({ min: 1, max: 1500 }) }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(3000), height: fc.nat(60) }),
    fc.record({ kind: fc.constant('drop' as const), count: fc.nat(1200) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(40_000), (changes, offset) => {
      const rows = createRowHeights(2000)
      const list = new Map<number, number>()
      let next = 0
      for (const step of changes) {
        if (step.kind === 'push') {
          for (let count = 0; count < step.count; count += 1) {
            rows.push(10 + (next % 3))
            list.set(next, 10 + (next % 3))
            next += 1
          }
          for (const seq of [...list.keys()].slice(0, -2000)) list.delete(seq)
        } else if (step.kind === 'set') {
          const seq = rows.first() + step.at
          rows.set(seq, step.height)
          if (list.has(seq)) list.set(seq, step.height)
        } else {
          const before = rows.first() + step.count
          rows.dropBefore(before)
          for (const seq of [...list.keys()]) if (seq < before) list.delete(seq)
        }
      }
      const entries = [...list]
      expect(rows.end() - rows.first()).toBe(list.size)
      expect(rows.total()).toBe(entries.reduce((sum, [, height]) => sum + height, 0))
      if (entries.length === 0) return
      let top = 0
      let expected = entries.at(-1)?.[0]
      for (const [seq, height] of entries) {
        if (offset < top + height) {
          expected = seq
          break
        }
        top += height
      }
      expect(rows.rowAt(offset)).toBe(expected)
      const middle = entries[Math.floor(entries.length / 2)]?.[0] ?? 0
      const above = entries.filter(([seq]) => seq < middle)
      expect(rows.topOf(middle)).toBe(above.reduce((sum, [, height]) => sum + height, 0))
    }),
    { numRuns: 60 },
  )
})

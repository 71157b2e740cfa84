import { expect, test } from 'vitest'
import { mergeSyntax } from './merge-syntax.ts'

const script = (statement: string) =>
  `export function list(rows: Row[]) {\n  const first = rows[0]\n${statement}}\n`

/** Merges three versions of the last statement. */
function merged(base: string, disk: string, next: string) {
  const [before, yours, ours] = [base, disk, next].map(script)
  return mergeSyntax('list.ts', { base: before ?? '', disk: yours ?? '', next: ours ?? '' })
}

test.each([
  [
    'a return with other parts',
    '  return page(rows, first)\n',
    '  return page(mine(rows), first)\n',
    '  return page(rows, last(first))\n',
    '  return page(mine(rows), last(first))\n',
  ],
  [
    'an if with another condition and another body',
    '  if (first) print(first)\n',
    '  if (first && isMine) print(first)\n',
    '  if (first) print(first, rows)\n',
    '  if (first && isMine) print(first, rows)\n',
  ],
  [
    'a call that the person continues',
    '  return text({ max: 80 })\n',
    "  return text({ max: 80 }).refine((each) => each !== 'x')\n",
    '  return text({ max: 40 })\n',
    "  return text({ max: 40 }).refine((each) => each !== 'x')\n",
  ],
  [
    'a call that the generator continues',
    '  return text({ max: 80 })\n',
    '  return text({ max: 60 })\n',
    '  return text({ max: 80 }).optional()\n',
    '  return text({ max: 60 }).optional()\n',
  ],
  [
    'a call in an array',
    '  return all([table.list(rows), table.count()])\n',
    '  return all([mine.list(rows), mine.count()])\n',
    '  return all([table.list(first), table.count()])\n',
    '  return all([mine.list(first), mine.count()])\n',
  ],
])('combines changes of both sides to %s', (_, base, disk, next, result) => {
  const both = script(result)
  expect(merged(base, disk, next)).toEqual({ hunks: [], mine: both, theirs: both })
})

test('reports a return that both sides changed', () => {
  const { hunks, mine, theirs } = merged('  return a\n', '  return b\n', '  return c\n') ?? {}
  expect(hunks).toHaveLength(1)
  expect([mine, theirs]).toEqual([script('  return b\n'), script('  return c\n')])
})

test('reports a statement that one side changed and the other removed', () => {
  const yours = merged('  if (first) a()\n', '  if (first) b()\n', '')
  expect(yours?.hunks).toHaveLength(1)
  expect(yours?.mine).toBe(script('  if (first) b()\n'))
  const ours = merged('  if (first) a()\n', '', '  if (first) b()\n')
  expect(ours?.hunks).toHaveLength(1)
  expect(ours?.mine).toBe(script(''))
})

test('keeps a statement of a person beside a change of the generator', () => {
  const result = merged('  return a\n', '  if (first) return b\n  return a\n', '  return c\n')
  const both = script('  if (first) return b\n  return c\n')
  expect(result).toEqual({ hunks: [], mine: both, theirs: both })
})

test('replaces the first elements of an array beside an element of a person', () => {
  const result = merged(
    '  return [\n    list(1),\n    count(),\n  ]\n',
    '  return [\n    list(1),\n    mine(),\n  ]\n',
    '  return [\n    rows[0],\n  ]\n',
  )
  expect(result?.hunks).toHaveLength(1)
  expect(result?.mine).toMatch(/return \[ rows\[0\],[^[]*mine\(\),\s+\]/)
})

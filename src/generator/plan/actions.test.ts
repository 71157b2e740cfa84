import { expect, test } from 'vitest'
import { byPath, put } from './actions.ts'

test('a file is created where there is none, edited where it differs, and else left', () => {
  const texts = new Map([['a.ts', 'old']])
  const readFile = (path: string) => texts.get(path)
  expect(put(readFile, 'b.ts', 'new', 'why')).toEqual([
    { kind: 'create', path: 'b.ts', after: 'new', reason: 'why' },
  ])
  expect(put(readFile, 'a.ts', 'new', 'why', 'review')).toEqual([
    { kind: 'edit', path: 'a.ts', before: 'old', after: 'new', reason: 'why', risk: 'review' },
  ])
  expect(put(readFile, 'a.ts', 'old', 'why')).toEqual([])
})

test('an empty file is a file', () => {
  expect(put(() => '', 'a.ts', '', 'why')).toEqual([])
  expect(put(() => '', 'a.ts', 'x', 'why')).toMatchObject([{ kind: 'edit', before: '' }])
})

test('actions stand in the order of their code units, on any machine', () => {
  const skip = (path: string) => ({ kind: 'skip', path, reason: '' }) as const
  const sorted = ['.env', 'B', 'a/b', 'a0', 'ä'].map(skip)
  expect(sorted.toReversed().sort(byPath)).toEqual(sorted)
})

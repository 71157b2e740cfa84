import { expect, test } from 'vitest'
import { byPath, writeActions } from './actions.ts'

test('writeActions creates a missing file, edits a different file and skips an equal file', () => {
  const texts = new Map([['a.ts', 'old']])
  const readFile = (path: string) => texts.get(path)
  expect(writeActions(readFile, 'b.ts', 'new', 'why')).toEqual([
    { kind: 'create', path: 'b.ts', after: 'new', reason: 'why' },
  ])
  expect(writeActions(readFile, 'a.ts', 'new', 'why', 'review')).toEqual([
    { kind: 'edit', path: 'a.ts', before: 'old', after: 'new', reason: 'why', risk: 'review' },
  ])
  expect(writeActions(readFile, 'a.ts', 'old', 'why')).toEqual([])
})

test('writeActions treats an empty file as existing', () => {
  expect(writeActions(() => '', 'a.ts', '', 'why')).toEqual([])
  expect(writeActions(() => '', 'a.ts', 'x', 'why')).toMatchObject([{ kind: 'edit', before: '' }])
})

test('byPath sorts actions by code units, independent of the locale', () => {
  const skip = (path: string) => ({ kind: 'skip', path, reason: '' }) as const
  const sorted = ['.env', 'B', 'a/b', 'a0', 'ä'].map(skip)
  expect(sorted.toReversed().sort(byPath)).toEqual(sorted)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeFile } from './merge-file.ts'

const old = 'one\ntwo\nthree\nfour\nfive\n'
const next = old.replace('two', '2')

describe('mergeFile', () => {
  test.each([
    ['writes a new file', undefined, undefined, { kind: 'write', text: next, reason: 'new' }],
    [
      'overwrites an unedited file',
      old,
      old,
      { kind: 'write', text: next, reason: 'as emitted last time' },
    ],
    ['keeps a file that equals the new text', old, next, { kind: 'keep', reason: 'as it is' }],
    [
      'keeps a file that equals the new text and has no base',
      undefined,
      next,
      { kind: 'keep', reason: 'as it is' },
    ],
    [
      'keeps a deleted file deleted',
      old,
      undefined,
      { kind: 'keep', reason: 'deleted or moved by you, lacks this change', risk: 'review' },
    ],
    [
      'keeps a deleted file deleted if its text is unchanged',
      next,
      undefined,
      { kind: 'keep', reason: 'deleted by you' },
    ],
    [
      'keeps a file that only the person changed',
      next,
      'mine\n',
      { kind: 'keep', reason: 'changed by you alone' },
    ],
    [
      'reports a conflict for a file without a base',
      undefined,
      'mine\n',
      {
        kind: 'conflict',
        reason: 'exists, and .strata/base has no record that strata wrote it',
        hunks: [],
      },
    ],
  ])('%s', async (_, base, disk, merge) => {
    expect(await mergeFile('note.txt', { base, disk, next })).toEqual(merge)
  })
})

test('combines changes of different lines and asks for a review', async () => {
  expect(await mergeFile('note.txt', { base: old, disk: old.replace('five', '5'), next })).toEqual({
    kind: 'write',
    text: next.replace('five', '5'),
    reason: 'merged with your changes',
    risk: 'review',
  })
})

test('reports every place in which both sides changed the same lines', async () => {
  const disk = old.replace('two', 'zwei').replace('five', 'fünf')
  const other = next.replace('five', '5')
  expect(await mergeFile('note.txt', { base: old, disk, next: other })).toEqual({
    kind: 'conflict',
    reason: 'you and the generator changed the same lines',
    hunks: [
      '<<<<<<< yours\nzwei\n=======\n2\n>>>>>>> generated',
      '<<<<<<< yours\nfünf\n=======\n5\n>>>>>>> generated',
    ],
    mine: disk,
    theirs: other,
  })
})

test('accepts a change that both sides made', async () => {
  const disk = next.replace('five', '5')
  expect(await mergeFile('note.txt', { base: old, disk, next })).toEqual({
    kind: 'keep',
    reason: 'as it is',
  })
})

test('keeps the line endings, including a missing final line ending', async () => {
  const base = 'a\r\nb\r\nc\r\nd'
  expect(
    await mergeFile('note.txt', { base, disk: `0\r\n${base}`, next: base.replace('d', 'D') }),
  ).toMatchObject({
    kind: 'write',
    text: '0\r\na\r\nb\r\nc\r\nD',
  })
})

test('keeps every line that a side added, for any texts', async () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '}')
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))
  await fc.assert(
    fc.asyncProperty(text, text, text, async (base, disk, emitted) => {
      const [ours, theirs] = [`${emitted}\nours`, `theirs\n${disk}`]
      const merge = await mergeFile('note.txt', { base, disk: theirs, next: ours })
      if (merge.kind === 'conflict') return
      expect(merge.kind).toBe('write')
      if (merge.kind === 'write')
        expect(merge.text.split('\n')).toEqual(expect.arrayContaining(['ours', 'theirs']))
    }),
  )
})

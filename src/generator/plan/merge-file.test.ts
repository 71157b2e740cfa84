import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeFile } from './merge-file.ts'

const old = 'one\ntwo\nthree\nfour\nfive\n'
const next = old.replace('two', '2')

describe('a file', () => {
  test.each([
    ['that is new', undefined, undefined, { kind: 'write', text: next, reason: 'new' }],
    ['as it was emitted', old, old, { kind: 'write', text: next, reason: 'as emitted until now' }],
    ['that says it already', old, next, { kind: 'keep', reason: 'as it is' }],
    ['that says it without a base', undefined, next, { kind: 'keep', reason: 'as it is' }],
    ['that was deleted', old, undefined, { kind: 'keep', reason: 'deleted by you' }],
    [
      'that was deleted and is emitted as before',
      next,
      undefined,
      { kind: 'keep', reason: 'deleted by you' },
    ],
    [
      'that only the person changed',
      next,
      'mine\n',
      { kind: 'keep', reason: 'changed by you alone' },
    ],
    [
      'that somebody else wrote',
      undefined,
      'mine\n',
      {
        kind: 'conflict',
        reason: 'exists, and .strata/base has no record that strata wrote it',
        hunks: [],
      },
    ],
  ])('%s', (_, base, disk, merge) => {
    expect(mergeFile({ base, disk, next })).toEqual(merge)
  })
})

test('changes at different lines are merged, for review', () => {
  expect(mergeFile({ base: old, disk: old.replace('five', '5'), next })).toEqual({
    kind: 'write',
    text: next.replace('five', '5'),
    reason: 'merged with your changes',
    risk: 'review',
  })
})

test('changes of the same lines conflict, and each place is shown', () => {
  const disk = old.replace('two', 'zwei').replace('five', 'fünf')
  const other = next.replace('five', '5')
  expect(mergeFile({ base: old, disk, next: other })).toEqual({
    kind: 'conflict',
    reason: 'you and the generator changed the same lines',
    hunks: [
      '<<<<<<< yours\nzwei\n=======\n2\n>>>>>>> generated',
      '<<<<<<< yours\nfünf\n=======\n5\n>>>>>>> generated',
    ],
  })
})

test('the same change on both sides is no conflict', () => {
  const disk = next.replace('five', '5')
  expect(mergeFile({ base: old, disk, next })).toEqual({ kind: 'keep', reason: 'as it is' })
})

test('a merge keeps line ends and a missing one at the end', () => {
  const base = 'a\r\nb\r\nc\r\nd'
  expect(mergeFile({ base, disk: `0\r\n${base}`, next: base.replace('d', 'D') })).toMatchObject({
    kind: 'write',
    text: '0\r\na\r\nb\r\nc\r\nD',
  })
})

test('whatever the texts, one that is merged holds every line that a side added', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '}')
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, text, (base, disk, emitted) => {
      const [ours, theirs] = [`${emitted}\nours`, `theirs\n${disk}`]
      const merge = mergeFile({ base, disk: theirs, next: ours })
      if (merge.kind === 'conflict') return
      expect(merge.kind).toBe('write')
      if (merge.kind === 'write')
        expect(merge.text.split('\n')).toEqual(expect.arrayContaining(['ours', 'theirs']))
    }),
  )
})

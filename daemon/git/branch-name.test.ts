import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidBranchName } from './branch-name.ts'

/** What git itself says, outside of any repository, so that its shorthands mean nothing. */
function isValidForGit(name: string): boolean {
  return spawnSync('git', ['check-ref-format', '--branch', name], { cwd: tmpdir() }).status === 0
}

test.each([
  'main',
  'feature/x',
  'a.b',
  'ü/é',
  'a@b',
  'x.lock/y',
  '@/x',
  'a{b}',
  "it's",
  'a;b|c&d$(e)`f`',
  '.a',
  'a/.b',
  'a..b',
  'a.lock',
  'a.lock/b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  '/a',
  'a/',
  'a//b',
  'a.',
  '@',
  'a@{1}',
  '@{-1}',
  'HEAD',
  'a/HEAD',
  '-a',
  '--help',
  'a/-b',
  'a\tb',
  'a\u007fb',
  'a\u0085b',
])('%j is a branch when git says so', (name) => {
  expect(isValidBranchName(name)).toBe(isValidForGit(name))
})

test('nothing is no branch, nor is what no argument can hold', () => {
  for (const name of ['', 'a\0b', '\ud800']) expect(isValidBranchName(name)).toBe(false)
})

test('git and this rule agree about names of every kind', () => {
  const part = fc.constantFrom(
    'a',
    'B',
    '1',
    '.',
    '..',
    '/',
    '-',
    '@',
    '{',
    '}',
    '~',
    '^',
    ':',
    '?',
    '*',
    '[',
    ']',
    '\\',
    ' ',
    '.lock',
    'HEAD',
    'ü',
    '\u0001',
    '\u0090',
    '🙂',
    '\n',
  )
  const name = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  )
  fc.assert(
    fc.property(
      name.filter((text) => !text.includes('\0')),
      (text) => isValidBranchName(text) === isValidForGit(text),
    ),
    { numRuns: 400 },
  )
})

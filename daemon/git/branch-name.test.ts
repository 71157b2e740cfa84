import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidBranchName } from './branch-name.ts'

/** Asks git, outside of any repository so that its shorthands do not apply. */
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
])('agrees with git on the branch name %j', (name) => {
  expect(isValidBranchName(name)).toBe(isValidForGit(name))
})

test('rejects empty branch names, NUL and unpaired surrogates', () => {
  for (const name of ['', 'a\0b', '\ud800']) expect(isValidBranchName(name)).toBe(false)
})

test('agrees with git on generated branch names', () => {
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

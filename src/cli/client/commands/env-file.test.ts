import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { lineOf, parseEnvFile } from './env-file.ts'

test('parseEnvFile reads quotes, comments, export and values with = and several lines', () => {
  const text = `# a comment
PLAIN=one
export QUOTED="two words" # why
URL=postgres://u:p@h/db?a=b
EMPTY=

KEY="-----BEGIN
two
-----END"
`
  expect(parseEnvFile(text)).toEqual({
    PLAIN: 'one',
    QUOTED: 'two words',
    URL: 'postgres://u:p@h/db?a=b',
    EMPTY: '',
    KEY: '-----BEGIN\ntwo\n-----END',
  })
})

test('parseEnvFile ignores a comment in a last line without an end', () => {
  expect(parseEnvFile('A=1\n# B=2')).toEqual({ A: '1' })
})

test('parseEnvFile names the line that is no assignment, and not its text', () => {
  expect(() => parseEnvFile('A=1\nhunter2 secret\n')).toThrow(/^line 2 is no assignment/)
  expect(() => parseEnvFile('A=1\nhunter2 secret\n')).not.toThrow(/hunter2/)
})

test.each([
  'plain',
  '',
  'two words',
  'a # b',
  'say "hello"',
  "it's",
  'one\ntwo',
  'C:\\new',
  ' padded ',
])('lineOf prints %j so that a .env file is read back', (value) => {
  expect(parseEnv(lineOf('NAME', value))).toEqual({ NAME: value })
})

test('lineOf comments a secret and a value with every quote', () => {
  expect(lineOf('KEY', null)).toBe('# KEY is a secret')
  expect(parseEnv(lineOf('KEY', '\'"` mixed'))).toEqual({})
})

import { expect, test } from 'vitest'
import { parseEnvFile } from './env-file.ts'

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

test('parseEnvFile names the line that is no assignment, and not its text', () => {
  expect(() => parseEnvFile('A=1\nhunter2 secret\n')).toThrow(/^line 2 is no assignment/)
  expect(() => parseEnvFile('A=1\nhunter2 secret\n')).not.toThrow(/hunter2/)
})

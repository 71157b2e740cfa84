import { describe, expect, test } from 'vitest'
import { crashExcerpt, settingHint } from './crash-excerpt.ts'

const lines = (stream: string, ...texts: string[]) => texts.map((line) => ({ stream, line }))

describe('last words', () => {
  test('are the end of the error output, without the frames of stacks', () => {
    const said = [
      ...lines('build', 'built'),
      ...lines('stdout', 'listening soon'),
      ...lines(
        'stderr',
        'ConfigError: bad settings: JWT_SECRET is required',
        '    at loadConfig (file:///app/config.js:12:3)',
        '    at main.js:1:1',
        '',
        'Node.js v20.20.2',
      ),
    ]
    expect(crashExcerpt(said)).toBe('ConfigError: bad settings: JWT_SECRET is required')
  })

  test('are other output when nothing went there, and nothing when there is none', () => {
    expect(crashExcerpt(lines('stdout', 'a', 'b', 'c', 'd'))).toBe('b | c | d')
    expect(crashExcerpt(lines('build', 'built'))).toBe('')
    expect(crashExcerpt(lines('stderr', 'x'.repeat(2000)))).toHaveLength(500)
  })
})

test.each([
  ['bad settings: JWT_SECRET is required', 'JWT_SECRET'],
  ['Missing environment variable "DATABASE_URL"', 'DATABASE_URL'],
  ['DATABASE_URL must be set', 'DATABASE_URL'],
  ['connect ECONNREFUSED 127.0.0.1:5432', undefined],
  ['MODULE_NOT_FOUND', undefined],
])('%s: hints at %s', (words, name) => {
  expect(settingHint(words)).toBe(name && `set it as a secret: strata env set ${name}`)
})

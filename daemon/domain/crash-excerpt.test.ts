import { describe, expect, test } from 'vitest'
import { crashExcerpt, settingHint } from './crash-excerpt.ts'

const lines = (stream: string, ...texts: string[]) => texts.map((line) => ({ stream, line }))

describe('a crash excerpt', () => {
  test('is the end of the error output without stack frames', () => {
    const log = [
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
    expect(crashExcerpt(log)).toBe('ConfigError: bad settings: JWT_SECRET is required')
  })

  test('has no colors', () => {
    expect(crashExcerpt(lines('stderr', '\u001b[31mError: no database\u001b[39m'))).toBe(
      'Error: no database',
    )
  })

  test('falls back to standard output, then to an empty text', () => {
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
])('the setting hint for "%s" names %s', (text, name) => {
  expect(settingHint(text)).toBe(name && `set it as a secret: strata env set ${name}`)
})

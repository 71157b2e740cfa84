import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCommandLine } from './command-line.ts'

test.each([
  ['node server.js', ['node', 'server.js']],
  [
    '  node   --enable-source-maps\tdist/main.js ',
    ['node', '--enable-source-maps', 'dist/main.js'],
  ],
  [`node -e "console.log('x')"`, ['node', '-e', "console.log('x')"]],
  [`a 'b c' "d e" f\\ g ''`, ['a', 'b c', 'd e', 'f g', '']],
  [`a '$X && *.js'`, ['a', '$X && *.js']],
  ['a --x=1 y=2', ['a', '--x=1', 'y=2']],
  ['next start -p 3000', ['next', 'start', '-p', '3000']],
])('splits %j into %j', (line, argv) => {
  expect(splitCommandLine(line)).toEqual({ kind: 'words', argv })
})

test.each([
  ['', 'is empty'],
  ["''", 'is empty'],
  ['a && b', 'operator'],
  ['a; b', 'operator'],
  ['a | b', 'operator'],
  ['a > b', 'operator'],
  ['a &', 'operator'],
  ['(a)', 'operator'],
  ['a $X', 'variable'],
  ['a "$X"', 'variable'],
  ['a $\x7bX}', 'variable'],
  ['a $(id)', 'variable'],
  ['a `id`', 'variable'],
  ['a "`id`"', 'variable'],
  ["a $'x'", 'variable'],
  ['a *.js', 'pattern'],
  ['a b?', 'pattern'],
  ['a [x]', 'pattern'],
  ['a ~/x', '~'],
  ['a # b', '#'],
  ["a 'b", 'not closed'],
  ['a "b', 'not closed'],
  ['a \\', 'not closed'],
  ['A=1 b', 'deploy.env'],
  ['a\nb', 'line break'],
  ['a\0b', 'control'],
])('refuses %j with the reason "%s"', (line, why) => {
  expect(splitCommandLine(line)).toEqual({ kind: 'refused', why: expect.stringContaining(why) })
})

test('splits accepted lines as a shell does', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    ' ',
    "'",
    '"',
    '\\',
    '$',
    '*',
    '=',
    '-',
    '\t',
    'é',
    '{',
    '!',
    '~',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const line = `x ${parts.join('')}`
      const split = splitCommandLine(line)
      if (split.kind === 'refused') return
      const shown = execFileSync('sh', [
        '-c',
        `for word in ${line}; do printf '%s\\0' "$word"; done`,
      ])
      expect(split.argv).toEqual(shown.toString('utf8').split('\0').slice(0, -1))
    }),
    { numRuns: 300 },
  )
})

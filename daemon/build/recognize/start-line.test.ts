import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandWords } from '../../domain/start-command.ts'
import { parseProcfile } from './procfile.ts'
import { splitStartLine } from './start-line.ts'

const variables = { PORT: '8123', EMPTY: '', A: 'a' }

function expanded(line: string) {
  const split = splitStartLine(line)
  if (split.kind === 'refused') return split.why
  return split.hasVariables ? expandWords(split.argv, variables) : { words: split.argv }
}

describe('a start line', () => {
  test.each([
    ['serve --port $PORT', ['serve', '--port', '8123']],
    ['serve -b 0.0.0.0:${PORT}/x', ['serve', '-b', '0.0.0.0:8123/x']],
    [
      'serve "${PORT:-8000}" ${NONE:-8000} ${EMPTY:-1} ${EMPTY-1}',
      ['serve', '8123', '8000', '1', ''],
    ],
    [`serve '$PORT' \\$PORT`, ['serve', '$PORT', '$PORT']],
    [`serve $PORT '$$' "a b"`, ['serve', '8123', '$$', 'a b']],
    ['exec serve', ['serve']],
    ['X=1 Y=a/b exec serve $A', ['serve', 'a']],
  ])('%s is expanded without a shell', (line, words) => {
    expect(expanded(line)).toEqual({ words })
  })

  test('keeps the variables that it sets', () => {
    expect(splitStartLine('X=1 Y=a/b serve')).toMatchObject({ env: { X: '1', Y: 'a/b' } })
  })

  test('names a variable without a value', () => {
    expect(expanded('serve $NONE')).toEqual({ missing: 'NONE' })
  })

  test.each([
    ['serve | cat', 'operator'],
    ['migrate && serve', 'operator'],
    ['serve $(nproc)', 'substitution'],
    ['serve ${PORT:?x}', 'variable'],
    ['serve ${A:-$PORT}', 'variable'],
    ['X=$PORT serve', 'deploy.env'],
    ['serve *.py', 'pattern'],
  ])('%s is refused', (line, why) => {
    expect(expanded(line)).toContain(why)
  })

  test('is expanded as a shell does', () => {
    const part = fc.constantFrom(
      'a',
      ' ',
      "'",
      '"',
      '\\',
      '$PORT',
      '${A:-x}',
      '${NO-y}',
      '$',
      '-',
      '{',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const line = `x ${parts.join('')}`
        const found = expanded(line)
        if (typeof found === 'string' || 'missing' in found) return
        const script = `for word in ${line}; do printf '%s\\0' "$word"; done`
        const shown = execFileSync('sh', ['-c', script], { env: variables })
        expect(found.words).toEqual(shown.toString('utf8').split('\0').slice(0, -1))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a Procfile', () => {
  test('has a web line and other processes', () => {
    expect(parseProcfile('# x\nworker: a\r\nweb: serve $PORT\r\nrelease: b')).toMatchObject({
      web: { argv: ['serve', '${PORT}'], hasVariables: true },
      others: new Map([['worker', expect.objectContaining({ argv: ['a'] })]]),
      ignored: new Map([['release', expect.stringContaining('strata run')]]),
    })
    expect(parseProcfile('worker: a').web).toBeNull()
  })

  test('with shell syntax is refused with a sentence', () => {
    expect(() => parseProcfile('web: migrate && serve')).toThrow(
      /Procfile: the web line uses a shell operator/,
    )
  })
})

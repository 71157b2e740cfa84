import { expect, test } from 'vitest'
import { createLineRing } from './line-ring.ts'
import { fileNameOf, textOfFile, textOfLines, timeOfDay } from './plain-text.ts'

const ts = '2026-01-31T12:00:00.123Z'

test('kept lines become text', () => {
  const ring = createLineRing(2, 1000)
  for (const text of ['dropped', 'one', 'two']) ring.push({ id: 1, ts, stream: 'stderr', text })
  expect(textOfLines(ring, 0, 2)).toBe('one')
  expect(textOfLines(ring, 0, 99)).toBe('one\ntwo')
  expect(textOfFile(ring)).toBe(`${ts} stderr one\n${ts} stderr two\n`)
})

test.each([
  ['feature/größe 🚀-7', 'feature-gro-e-7.log'],
  ['../../etc/passwd', 'etc-passwd.log'],
  ['שלום', 'log.log'],
  ['x'.repeat(300), `${'x'.repeat(80)}.log`],
])('the name %j becomes the file name %s', (name, file) => {
  expect(fileNameOf(name)).toBe(file)
})

test('a time of day has milliseconds', () => {
  expect(timeOfDay(ts)).toMatch(/^\d\d:\d\d:00\.123$/)
})

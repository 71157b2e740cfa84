import { expect, test } from 'vitest'
import { excerpt, shorten } from './excerpt.ts'

test('a short line is quoted whole, with carets below the fault', () => {
  expect(excerpt({ input: 'a:int\n\tb:itn', start: 9, length: 3 })).toEqual([
    '  \tb:itn',
    '  \t  ^^^',
  ])
})

test.each([
  ['at the start', 0, 3, `  bad${'x'.repeat(97)}…`, '  ^^^'],
  ['in the middle', 500, 3, `  …${'x'.repeat(40)}bad${'x'.repeat(57)}…`, `${' '.repeat(43)}^^^`],
  ['at the end', 1000, 3, `  …${'x'.repeat(97)}bad`, `${' '.repeat(100)}^^^`],
])('a long line is shortened around a fault %s', (_, start, length, line, carets) => {
  const input = `${'x'.repeat(start)}bad${'x'.repeat(1000 - start)}`
  expect(excerpt({ input, start, length })).toEqual([line, carets])
})

test('the carets of a long fault end with the shortened line', () => {
  const [line = '', carets = ''] = excerpt({
    input: `a:${'x'.repeat(50_000)}`,
    start: 2,
    length: 50_000,
  })
  expect(line).toBe(`  a:${'x'.repeat(98)}…`)
  expect(carets).toBe(`    ${'^'.repeat(98)}`)
})

test('an empty place after a long line is marked', () => {
  const [line = '', carets = ''] = excerpt({ input: 'x'.repeat(500), start: 500, length: 0 })
  expect(carets.indexOf('^')).toBe(line.length)
})

test('a long message keeps its start and its end', () => {
  const text = shorten(`unknown type "${'x'.repeat(50_000)}": the types are string, text`)
  expect(text).toMatch(/^unknown type "x+…x+": the types are string, text$/)
  expect(text.length).toBeLessThanOrEqual(1000)
  expect(shorten('a short message')).toBe('a short message')
})

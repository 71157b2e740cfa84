import { expect, test } from 'vitest'
import { parseScript } from './script.ts'

test('reads texts with the line separators of JavaScript to their end', () => {
  const code = "export const text = 'a\u2028b\rc'\n"
  expect(parseScript(`${code}\nconst other = 1\n`).blocks.map((block) => block.code)).toEqual([
    code,
    'const other = 1\n',
  ])
})

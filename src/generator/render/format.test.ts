import { expect, test } from 'vitest'
import { format } from './format.ts'

test('format applies the style of emitted code to scripts', async () => {
  expect(await format('a.ts', 'export const  a = {"b":"c"};')).toBe("export const a = { b: 'c' }\n")
  expect(await format('a.mjs', 'f( 1 )')).toBe('f(1)\n')
})

test('format returns other files unchanged', async () => {
  for (const path of ['README.md', 'package.json', 'compose.yaml', 'schema.prisma', 'Dockerfile']) {
    expect(await format(path, ' {  }  ')).toBe(' {  }  ')
  }
})

test('format throws an error with the text of a script that does not parse', async () => {
  const error = await format('a.ts', 'const = 1').catch(String)
  expect(error).toMatch(/^Error: a\.ts does not parse: /)
  expect(error).toMatch(/\nconst = 1$/)
})

import { expect, test } from 'vitest'
import { format } from './format.ts'

test('a script is laid out in the style of emitted code', async () => {
  expect(await format('a.ts', 'export const  a = {"b":"c"};')).toBe("export const a = { b: 'c' }\n")
  expect(await format('a.mjs', 'f( 1 )')).toBe('f(1)\n')
})

test('what is no script is given back as it is', async () => {
  for (const path of ['README.md', 'package.json', 'compose.yaml', 'schema.prisma', 'Dockerfile']) {
    expect(await format(path, ' {  }  ')).toBe(' {  }  ')
  }
})

test('a script that does not parse is a fault that shows the text', async () => {
  const error = await format('a.ts', 'const = 1').catch(String)
  expect(error).toMatch(/^Error: a\.ts does not parse: /)
  expect(error).toMatch(/\nconst = 1$/)
})

import { expect, test } from 'vitest'
import { withoutUnused } from './unused-code.ts'

const main = "import { a } from './a.js'\n\na()\n"

function shake(
  shared: Record<string, string>,
  others: Record<string, string> = { 'main.ts': main },
) {
  return Object.fromEntries(
    withoutUnused(new Map(Object.entries(shared)), new Map(Object.entries(others))),
  )
}

test('removes declarations that nothing uses, with their comments and imports', () => {
  const text = [
    "import { used, type Unused } from 'x'",
    "import * as z from 'z'",
    '',
    '/** Stays. */',
    'export function a() {',
    '  return used()',
    '}',
    '',
    '/** Goes. */',
    'export function b(unused: Unused) {',
    '',
    '  return z.of(unused)',
    '}',
    '',
  ].join('\n')
  expect(shake({ 'a.ts': text })['a.ts']).toBe(
    "import { used } from 'x'\n\n/** Stays. */\nexport function a() {\n  return used()\n}\n",
  )
})

test('keeps what a used declaration needs, across files, and drops export if only its file uses it', () => {
  expect(
    shake({
      'a.ts':
        "import { c, d } from './c.js'\n\nexport const a = () => [b, c]\n\nexport const b = 1\n",
      'c.ts': 'export const c = 1\n\nexport const d = 2\n',
    }),
  ).toEqual({
    'a.ts': "import { c } from './c.js'\n\nexport const a = () => [b, c]\n\nconst b = 1\n",
    'c.ts': 'export const c = 1\n',
  })
})

test('omits a file of which nothing is used', () => {
  const a = 'export const a = 1\n'
  expect(shake({ 'a.ts': a, 'b.ts': 'export const b = 1\n' })).toEqual({ 'a.ts': a })
})

test('does not count members of other values as uses', () => {
  const text = 'export const a = () => x.b()\n\nexport const b = 1\n'
  expect(shake({ 'a.ts': text })['a.ts']).toBe('export const a = () => x.b()\n')
})

test('does not count local variables and keys as uses', () => {
  const a = 'export function a() {\n  const b = { c: 1 }\n  return b\n}\n'
  const others = ['b', 'c'].map((name) => `\nexport const ${name} = 1\n`).join('')
  expect(shake({ 'a.ts': a + others })['a.ts']).toBe(a)
})

test('counts the value of a case as a use', () => {
  const text =
    'export function a() {\n  switch (x) {\n    case b:\n      return 1\n  }\n}\n\nconst b = 1\n'
  expect(shake({ 'a.ts': text })['a.ts']).toBe(text)
})

test('counts spread values and dynamic imports as uses', () => {
  const files = {
    'a.ts': "export const a = () => [...b, import('./c.js')]\n\nconst b = [1]\n",
    'c.ts': 'export const c = 1\n',
  }
  expect(shake(files)).toEqual(files)
})

test('turns an import of types alone into a type import', () => {
  const text =
    "import { b, type C } from 'x'\n\nexport const a = (c: C) => c\n\nexport const d = b\n"
  expect(shake({ 'a.ts': text })['a.ts']).toBe(
    "import type { C } from 'x'\n\nexport const a = (c: C) => c\n",
  )
})

test('keeps the export of a used declaration with @public', () => {
  const text = 'export const a = () => b\n\n/** @public for your own code */\nexport const b = 1\n'
  expect(shake({ 'a.ts': text })['a.ts']).toBe(text)
})

test('moves a shared comment to the declaration below that stays', () => {
  const text = 'export const a = () => max\n\n/** Range. */\nconst min = 0\nconst max = 1\n'
  expect(shake({ 'a.ts': text })['a.ts']).toBe(
    'export const a = () => max\n\n/** Range. */\nconst max = 1\n',
  )
})

import { expect, test } from 'vitest'
import { sortImports } from './sort-imports.ts'

test('sortImports orders Node modules, packages, then relative paths from far to near', () => {
  const text = [
    "import { c } from './c.js'",
    "import { b } from '../b.js'",
    "import { z } from 'zod'",
    "import { a } from '../../a.js'",
    "import { fs } from 'node:fs'",
    '',
    'export const x = 1',
    '',
  ].join('\n')
  const from = [...sortImports(text).matchAll(/from '([^']+)'/g)].map(([, source]) => source)
  expect(from).toEqual(['node:fs', 'zod', '../../a.js', '../b.js', './c.js'])
  expect(sortImports(text).endsWith('\nexport const x = 1\n')).toBe(true)
})

test('sortImports orders type and value names together', () => {
  expect(sortImports("import { b, type A, a, type C10, C9 } from './x.js'\n")).toBe(
    "import { type A, a, b, C9, type C10 } from './x.js'\n",
  )
})

test('sortImports keeps imports after a blank line or a comment unchanged', () => {
  const rest = "\nimport { b } from './b.js'\n// comment\nimport { a } from './a.js'\n"
  expect(sortImports(`import { z } from 'zod'\n${rest}`)).toBe(`import { z } from 'zod'\n${rest}`)
})

test('sortImports reads multi-line and namespace imports as one import each', () => {
  const text =
    "import {\n  b,\n  a,\n} from './b.js'\nimport * as z from 'zod'\nimport d from './a.js'\n"
  expect(sortImports(text)).toBe(
    "import * as z from 'zod'\nimport d from './a.js'\nimport { a, b } from './b.js'\n",
  )
})

test('sortImports keeps a text without imports unchanged', () => {
  expect(sortImports('export const x = 1\n')).toBe('export const x = 1\n')
  expect(sortImports('')).toBe('')
})

import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { createProject } from '../../../src/generator/write/create-project.ts'
import { checkPathTexts, parents } from '../../../src/generator/write/safe-path.ts'
import { temporaryFolder } from '../../support/generator/write/temporary-folder.ts'
import { hashTree } from '../../support/tree.ts'

const unsafe = [
  ['/etc/passwd', 'is absolute'],
  ['c:/windows', 'is absolute'],
  ['../out', 'leaves the project'],
  ['src/../../out', 'leaves the project'],
  ['src/..', 'leaves the project'],
  ['./src', 'is not normalized'],
  ['src//a', 'is not normalized'],
  ['src/', 'is not normalized'],
  ['', 'is not normalized'],
  ['src\\a', 'backslash'],
  ['a\0b', 'NUL'],
  ['.git/hooks/pre-commit', 'inside .git'],
  ['.GIT/config', 'inside .git'],
  ['sub/.git/config', 'inside .git'],
  ['.git', 'inside .git'],
  ['.strata/lock', 'is reserved for strata'],
  ['.strata/journal.json', 'is reserved for strata'],
  ['.strata/staging/0', 'is reserved for strata'],
  ['.strata', 'is reserved for strata'],
] as const

test.each(unsafe)('the path %j is refused by both writers: it %s', (path, reason) => {
  const root = temporaryFolder()
  const before = hashTree(root)
  const plan = { root, actions: [{ kind: 'create', path, after: '', reason: 'new' }] } as const
  const refusal = expect.objectContaining({
    kind: 'usage',
    message: expect.stringContaining(reason),
  })
  expect(() => applyPlan(plan)).toThrow(refusal)
  expect(() => createProject(resolve(root, 'app'), plan)).toThrow(refusal)
  expect(hashTree(root)).toBe(before)
})

test.each(['.gitignore', 'a..b/c', '.strata/base/a.ts', 'src/lock', 'a b/ü.ts', '.github/x'])(
  'the path %j is accepted',
  (path) => {
    expect(() => checkPathTexts([path])).not.toThrow()
  },
)

test('a duplicate path, and a file that another path uses as a folder, are refused', () => {
  expect(() => checkPathTexts(['a', 'a'])).toThrow(/planned twice/)
  expect(() => checkPathTexts(['a/b/c', 'a'])).toThrow(/is in a, which is planned as a file/)
})

test('every accepted path resolves to itself below the root', () => {
  const part = fc.constantFrom('..', '.', '', 'a', 'b.ts', '\\', 'c:', '.git', '...', '~')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const path = parts.join('/')
      fc.pre(isAccepted(path))
      expect(resolve('/app', path)).toBe(`/app/${path}`)
    }),
  )
})

test('parents lists the nearest folder first, without the root', () => {
  expect(parents('a/b/c.ts')).toEqual(['a/b', 'a'])
  expect(parents('c.ts')).toEqual([])
})

function isAccepted(path: string): boolean {
  try {
    checkPathTexts([path])
    return true
  } catch (error) {
    expect(error).toMatchObject({ kind: 'usage' })
    return false
  }
}

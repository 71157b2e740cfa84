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
  ['../out', 'climbs out'],
  ['src/../../out', 'climbs out'],
  ['src/..', 'climbs out'],
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
  ['.strata/lock', 'works with itself'],
  ['.strata/journal.json', 'works with itself'],
  ['.strata/staging/0', 'works with itself'],
  ['.strata', 'works with itself'],
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
  'the path %j is fine',
  (path) => {
    expect(() => checkPathTexts([path])).not.toThrow()
  },
)

test('one path twice, or a file that is another file’s folder, is refused', () => {
  expect(() => checkPathTexts(['a', 'a'])).toThrow(/planned twice/)
  expect(() => checkPathTexts(['a/b/c', 'a'])).toThrow(/lies in a, which is planned as a file/)
})

test('every path text that is accepted names exactly one place below the root', () => {
  const part = fc.constantFrom('..', '.', '', 'a', 'b.ts', '\\', 'c:', '.git', '...', '~')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const path = parts.join('/')
      fc.pre(isAccepted(path))
      expect(resolve('/app', path)).toBe(`/app/${path}`)
    }),
  )
})

test('parents come nearest first, without the root', () => {
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

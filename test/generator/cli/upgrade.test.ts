import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { x as extract } from 'tar'
import { expect, test } from 'vitest'
import { currentVersion, versionOf } from '../../../src/generator/plan/emitted-version.ts'
import { done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { hashTree } from '../../support/tree.ts'

/** Files that strata emitted at commit 4b200ea. `.strata/base` is left out, because its files are the same. */
const archive = fileURLToPath(new URL('../earlier-version/club-4b200ea.tgz', import.meta.url))

function club(): string {
  const root = temporaryFolder()
  const base = join(root, '.strata/base')
  mkdirSync(base, { recursive: true })
  extract({ file: archive, cwd: root, sync: true })
  const isGenerated = (path: string) => !path.endsWith('migration.sql')
  extract({ file: archive, cwd: base, sync: true, filter: isGenerated })
  return root
}

test('strata upgrade brings up a project, keeps an edit, and says what changed and why', async () => {
  const root = club()
  const path = join(root, 'README.md')
  writeFileSync(path, `${readFileSync(path, 'utf8')}\nThe club plans its evenings.\n`)
  const said = await done(root, 'upgrade')
  expect(said).toContain(`wrote the code of version ${currentVersion}, before: 0\n`)
  expect(said).toContain('What changed in the emitted code, and why:\n  - ')
  expect(readFileSync(path, 'utf8')).toContain('The club plans its evenings.')
  expect(readFileSync(join(root, 'tsconfig.json'), 'utf8')).toContain('es2023')
  const before = hashTree(root)
  expect(await done(root, 'upgrade')).toMatch(/^nothing to do: the project has the code that/)
  expect(hashTree(root)).toBe(before)
})

test('a project of a newer strata is refused by every change, and stays as it is', async () => {
  const root = await project('Book title:string')
  writeFileSync(join(root, '.strata/version'), `${currentVersion + 1}\n`)
  const before = hashTree(root)
  for (const args of [['upgrade'], ['sync'], ['feature', 'Book', 'title:text']]) {
    const [first] = await refused(root, args, 3)
    expect(first).toMatch(/^error: a newer strata wrote this project: .*install the newer strata$/)
  }
  expect(hashTree(root)).toBe(before)
})

test('an invalid version is refused', () => {
  expect(() => versionOf(() => '<<<<<<< HEAD\n')).toThrow(/^\.strata\/version is invalid/)
})

import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'

const author = ['feature', 'Author', 'name:string']

test('a file that strata did not write causes a conflict', async () => {
  const root = await project()
  writeFileSync(join(root, 'src/domain/author.ts'), 'export const mine = true\n')
  const lines = await refused(root, author, 3)
  expect(lines).toEqual([
    'error: your edits conflict with generated files, so nothing was changed: keep your edits with --keep, or take a generated file with --theirs <path>; strata resolve before the command asks about each place',
    'src/domain/author.ts: exists, and .strata/base has no record that strata wrote it',
  ])
})

test.each<[string, (root: string) => void, string]>([
  [
    'a folder at the path of a file',
    (root) => mkdirSync(join(root, 'src/domain/author.ts')),
    'src/domain/author.ts is not a file: move it away and run again',
  ],
  [
    'a symlink at the path of a file',
    (root) => symlinkSync('app-error.ts', join(root, 'src/domain/author.ts')),
    'src/domain/author.ts is a symlink, and strata does not write through symlinks: replace the symlink by its target',
  ],
  [
    'a symlink at the path of a folder',
    (root) => {
      renameSync(join(root, 'src/domain'), `${root}-domain`)
      symlinkSync(`${root}-domain`, join(root, 'src/domain'))
    },
    'src/domain is a symlink, and strata does not write through symlinks: replace the symlink by its target',
  ],
  [
    'a file at the path of a folder',
    (root) => {
      rmSync(join(root, 'src/handlers'), { recursive: true, force: true })
      writeFileSync(join(root, 'src/handlers'), '')
    },
    'src/handlers is not a folder: move it away and run again',
  ],
  [
    'a base copy that is a symlink',
    (root) => {
      rmSync(join(root, '.strata/base/src/routes.ts'))
      symlinkSync('container.ts', join(root, '.strata/base/src/routes.ts'))
    },
    '.strata/base/src/routes.ts is a symlink, and strata does not write through symlinks: replace the symlink by its target',
  ],
])('%s causes a conflict', async (_, make, sentence) => {
  const root = await project()
  make(root)
  expect(await refused(root, author, 3)).toEqual([`error: ${sentence}`])
  expect(await refused(root, [...author, '--dry-run'], 3)).toEqual([`error: ${sentence}`])
})

test('a container without the expected code causes a conflict with the lines to add', async () => {
  const root = await project('Book title:string')
  const path = join(root, 'src/container.ts')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('createRepositories', 'makeAll'))
  const lines = await refused(root, author, 3)
  expect(lines.join('\n')).toMatch(/^src\/container\.ts: .*add these lines by hand:$/m)
  expect(lines.join('\n')).toContain('createAuthorRepository(store)')
  expect(await refused(root, [...author, '--dry-run'], 3)).toEqual(lines)
})

test('a container with a syntax error causes a conflict', async () => {
  const root = await project()
  const path = join(root, 'src/container.ts')
  writeFileSync(path, `${readFileSync(path, 'utf8')}\nexport function {`)
  const lines = await refused(root, author, 3)
  expect(lines.join('\n')).toMatch(/^src\/container\.ts: /m)
})

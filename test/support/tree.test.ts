import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hashTree, treeFiles } from './tree.ts'

const roots: string[] = []

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

test('hashTree returns the same hash for two trees with equal paths, modes and contents', () => {
  expect(hashTree(sample())).toBe(hashTree(sample()))
})

test.each<[string, (root: string) => void]>([
  ['a byte of a file', (root) => writeFileSync(join(root, 'a.txt'), 'B')],
  ['a mode', (root) => chmodSync(join(root, 'a.txt'), 0o755)],
  ['an empty folder', (root) => mkdirSync(join(root, 'src/empty'))],
  ['a symlink', (root) => symlinkSync('a.txt', join(root, 'link'))],
  ['a missing file', (root) => rmSync(join(root, 'src/b.txt'))],
])('hashTree returns another hash after adding or changing %s', (_, change) => {
  const root = sample()
  const before = hashTree(root)
  change(root)
  expect(hashTree(root)).not.toBe(before)
})

test('hashTree skips an ignored path and everything below it', () => {
  const root = sample()
  const before = hashTree(root, { ignore: ['src'] })
  writeFileSync(join(root, 'src/b.txt'), 'changed')
  expect(hashTree(root, { ignore: ['src'] })).toBe(before)
})

test('treeFiles returns the text of each file by its path', () => {
  expect([...treeFiles(sample())]).toEqual([
    ['a.txt', 'A'],
    ['src/b.txt', 'b'],
  ])
})

function sample(): string {
  const root = mkdtempSync(join(tmpdir(), 'strata-tree-'))
  roots.push(root)
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'a.txt'), 'A')
  writeFileSync(join(root, 'src/b.txt'), 'b')
  return root
}

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hashTree, treeFiles } from './tree.ts'

const roots: string[] = []

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

test('two trees with the same paths, modes and contents have the same hash', () => {
  expect(hashTree(sample())).toBe(hashTree(sample()))
})

test.each<[string, (root: string) => void]>([
  ['a byte of a file', (root) => writeFileSync(join(root, 'a.txt'), 'B')],
  ['a mode', (root) => chmodSync(join(root, 'a.txt'), 0o755)],
  ['an empty folder', (root) => mkdirSync(join(root, 'src/empty'))],
  ['a symlink', (root) => symlinkSync('a.txt', join(root, 'link'))],
  ['a missing file', (root) => rmSync(join(root, 'src/b.txt'))],
])('the hash differs by %s', (_, change) => {
  const root = sample()
  const before = hashTree(root)
  change(root)
  expect(hashTree(root)).not.toBe(before)
})

test('an ignored path does not count, nor does what is below it', () => {
  const root = sample()
  const before = hashTree(root, { ignore: ['src'] })
  writeFileSync(join(root, 'src/b.txt'), 'changed')
  expect(hashTree(root, { ignore: ['src'] })).toBe(before)
})

test('the files of a tree are its texts by path', () => {
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

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tree } from '../../support/generator/memory-project.ts'
import { treeFiles } from '../../support/tree.ts'

/** Where a case is stored. */
export function folderOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

export function readSnapshot(name: string): Tree {
  return treeFiles(folderOf(name), { ignore: ['src/generated', 'node_modules'] })
}

/** Puts the tree in the place of what is stored. */
export function writeSnapshot(name: string, tree: Tree): void {
  rmSync(folderOf(name), { recursive: true, force: true })
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folderOf(name), path)), { recursive: true })
    writeFileSync(join(folderOf(name), path), text)
  }
}

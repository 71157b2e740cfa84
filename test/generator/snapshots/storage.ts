import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tree } from '../../support/generator/memory-project.ts'
import { treeFiles } from '../../support/tree.ts'
import type { ReadExample, Stored } from './layout.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = fileURLToPath(new URL('trees', import.meta.url))

export const readExample: ReadExample = (path) => {
  const file = join(root, 'examples', path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export function readStored(): Stored {
  return treeFiles(folder)
}

/** Replaces everything that is stored. */
export function writeStored(stored: Stored): void {
  replaceFolder(folder, stored)
}

/** Writes the whole tree of a case into `.cache/snapshots`. Returns its folder. */
export function materialize(name: string, tree: Tree): string {
  const target = join(materialized, name)
  replaceFolder(target, tree)
  return target
}

/** The folder of the materialized trees; the packages of this repository resolve from it. */
export const materialized = join(root, '.cache', 'snapshots')

function replaceFolder(target: string, files: ReadonlyMap<string, string>): void {
  rmSync(target, { recursive: true, force: true })
  for (const [path, text] of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text)
  }
}

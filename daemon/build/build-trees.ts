import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import { withFolder } from '../open-folder.ts'
import type { Cell } from '../ports.ts'
import { removeTree } from '../trees.ts'
import { copyTree } from './copy-tree.ts'
import { makeReadOnly, makeWritable } from './file-modes.ts'
import { sealTree } from './seal-tree.ts'

/**
 * Operations on the folders of a build. The project's programs may change a release at any time, so trees are prepared
 * in folders of the daemon and then moved into the release by one rename.
 */
export interface Trees {
  /** Makes all files read-only. Takes the tree from the project's user, if it has one. */
  seal(tree: string, signal: AbortSignal): Promise<void>
  /** Copies a tree into a release: `link` as hard links to read-only files, `copy` as the project's own files. */
  copyIn(from: string, how: 'link' | 'copy', signal: AbortSignal): Promise<void>
  /** Moves `from` into the release as its folder of packages. Returns false if `from` is missing. */
  moveIn(from: string): Promise<boolean>
  /** Moves the folder of packages out of the release. Returns false if it is missing, or if `to` exists. */
  moveOut(to: string): Promise<boolean>
}

export interface TreesOptions {
  readonly cell: Pick<Cell, 'user' | 'own'>
  /** Folder for trees under construction, on the file system of the release. */
  readonly scratchFolder: string
  /** The release. */
  readonly checkout: string
  /** Folder of the app inside the release: a path without symlinks. */
  readonly root: string
  /** PATH of `cp`, `find` and `chmod`. */
  readonly path: string
  /** Name of the folder of packages. */
  readonly name?: 'node_modules' | '.venv'
}

export function createTrees(options: TreesOptions): Trees {
  const { scratchFolder, checkout, root, path, name = 'node_modules' } = options
  const { user, own } = options.cell

  /** Calls `work` with the path of the folder of packages in the release. */
  async function inRelease(work: (packages: string) => Promise<void>): Promise<boolean> {
    try {
      await withFolder(checkout, root, (folder) => work(join(folder, name)))
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ELOOP' || code === 'ENOTDIR') throw replacedFolder(error)
      if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EXDEV'].includes(code ?? '')) return false
      throw error
    }
  }

  const moveIn = (from: string) => inRelease((packages) => rename(from, packages))

  return {
    moveIn,
    moveOut: (to) => inRelease((packages) => rename(packages, to)),

    async seal(tree, signal) {
      if (user) await sealTree(tree, user)
      else await makeReadOnly(tree, { path, signal })
    },

    async copyIn(from, how, signal) {
      const staged = join(scratchFolder, `tree-${randomBytes(8).toString('hex')}`)
      const packages = join(staged, name)
      await mkdir(staged, { mode: 0o700 })
      try {
        await copyTree(from, packages, { how, path, signal })
        if (how === 'copy') await makeWritable(packages, { path, signal })
        await own(packages)
        if (!(await moveIn(packages))) throw new DaemonError('unprocessable', occupied)
      } finally {
        await removeTree(staged)
      }
    },
  }
}

/** Moves a tree out of the way, then removes it in the background. */
export async function discardPackages(trees: Trees, scratchFolder: string): Promise<void> {
  const aside = join(scratchFolder, randomBytes(8).toString('hex'))
  // Ignored: the next daemon removes leftovers with the scratch folder.
  if (await trees.moveOut(aside)) removeTree(aside).catch(() => {})
}

/** Returns whether a path is a folder, and not a symlink to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

const occupied = 'the packages could not be moved into the release: a program changed its folders'

function replacedFolder(cause: unknown): DaemonError {
  return new DaemonError(
    'unprocessable',
    'the build replaced a folder of the release by a symlink: keep the folder of deploy.root',
    { cause },
  )
}

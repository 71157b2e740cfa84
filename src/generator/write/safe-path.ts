import { StrataError } from '../errors.ts'
import type { Disk, Entry } from './disk.ts'
import { isReserved } from './temporary-paths.ts'

/** A safe path in a project. */
export interface Located {
  /** Absolute path. */
  readonly full: string
  /** The entry at the path, never a symlink; `undefined` if the path is missing. */
  readonly entry: Entry | undefined
  /** The nearest existing folder above the path. */
  readonly folder: { readonly full: string; readonly entry: Entry }
}

/**
 * Creates the function that maps each path of a plan to a path on disk. The function throws StrataError
 * 'usage' for a path that could leave the project or reach reserved files, and 'conflict' if the target or
 * a parent is a symlink, or a parent is not a folder. It caches folders: create one for each pass over a
 * plan.
 */
export function createLocator(disk: Disk, root: string): (path: string) => Located {
  const folders = new Map<string, Entry | undefined>()
  const lookAtFolder = (path: string): Entry | undefined => {
    if (!folders.has(path)) folders.set(path, checkedFolder(disk, root, path))
    return folders.get(path)
  }
  const rootEntry = disk.stat(root)
  return (path) => {
    checkPathText(path)
    if (rootEntry === undefined)
      throw new StrataError('conflict', `${root} does not exist any more`)
    const full = `${root}/${path}`
    let folder = { full: root, entry: rootEntry }
    for (const parent of parents(path).reverse()) {
      const entry = lookAtFolder(parent)
      if (entry === undefined) return { full, entry, folder }
      folder = { full: `${root}/${parent}`, entry }
    }
    const entry = disk.stat(full)
    if (entry) refuseSymlink(path, entry)
    return { full, entry, folder }
  }
}

/**
 * Checks the paths of a tree without reading the disk. Throws StrataError 'usage' for an unsafe path, for a
 * duplicate, and for a file that another path uses as a folder.
 */
export function checkPathTexts(paths: readonly string[]): void {
  const all = new Set<string>()
  for (const path of paths) {
    checkPathText(path)
    if (all.has(path)) throw unsafe(path, 'is planned twice')
    all.add(path)
  }
  for (const path of paths) {
    const above = parents(path).find((parent) => all.has(parent))
    if (above !== undefined) throw unsafe(path, `is in ${above}, which is planned as a file`)
  }
}

/** Returns the folders above a path, nearest first, without the root: `a/b/c` gives `a/b`, `a`. */
export function parents(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'))
}

function checkPathText(path: string): void {
  const parts = path.split('/')
  if (path.includes('\0')) throw unsafe(path, 'contains a NUL character')
  if (path.includes('\\')) throw unsafe(path, 'contains a backslash: separate folders with /')
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw unsafe(path, 'is absolute')
  if (parts.includes('..')) throw unsafe(path, 'leaves the project with ..')
  if (parts.includes('') || parts.includes('.')) throw unsafe(path, 'is not normalized')
  // File systems that ignore case map any spelling to .git.
  if (parts.some((part) => part.toLowerCase() === '.git')) throw unsafe(path, 'is inside .git')
  if (isReserved(path)) throw unsafe(path, 'is reserved for strata')
}

function checkedFolder(disk: Disk, root: string, path: string): Entry | undefined {
  const entry = disk.stat(`${root}/${path}`)
  if (entry === undefined) return undefined
  refuseSymlink(path, entry)
  if (entry.kind === 'folder') return entry
  throw new StrataError('conflict', `${path} is not a folder: move it away and run again`)
}

function refuseSymlink(path: string, entry: Entry): void {
  if (entry.kind !== 'symlink') return
  throw new StrataError(
    'conflict',
    `${path} is a symlink, and strata does not write through symlinks: replace the symlink by its target`,
  )
}

function unsafe(path: string, reason: string): StrataError {
  return new StrataError('usage', `the path ${JSON.stringify(path)} ${reason}: nothing was changed`)
}

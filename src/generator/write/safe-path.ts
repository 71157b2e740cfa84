import { StrataError } from '../errors.ts'
import type { Disk, Entry } from './disk.ts'
import { isReserved } from './workplace.ts'

/** A safe place in a project. */
export interface Located {
  /** Absolute path. */
  readonly full: string
  /** What lies there: nothing, a file, a folder or something else, but no symlink. */
  readonly entry: Entry | undefined
  /** The nearest folder above that exists. */
  readonly folder: { readonly full: string; readonly entry: Entry }
}

/**
 * The one way from a plan's path to a path on disk. The function it returns throws StrataError
 * 'usage' for a path text that could leave the project or reach what is not the generator's, and
 * 'conflict' if a parent or the target itself is a symlink, or a parent is no folder. It looks at
 * each folder once, so make one for each pass over a plan.
 */
export function createLocator(disk: Disk, root: string): (path: string) => Located {
  const folders = new Map<string, Entry | undefined>()
  const lookAtFolder = (path: string): Entry | undefined => {
    if (!folders.has(path)) folders.set(path, checkedFolder(disk, root, path))
    return folders.get(path)
  }
  const rootEntry = disk.look(root)
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
    const entry = disk.look(full)
    if (entry) refuseSymlink(path, entry)
    return { full, entry, folder }
  }
}

/**
 * Checks path texts alone, for a tree that does not exist yet. Throws StrataError 'usage' for an
 * unsafe one, for two that are the same, and for a file that is also a folder of another.
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
    if (above !== undefined) throw unsafe(path, `lies in ${above}, which is planned as a file`)
  }
}

/** The folders above a path, nearest first, without the root: `a/b/c` gives `a/b`, `a`. */
export function parents(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'))
}

function checkPathText(path: string): void {
  const parts = path.split('/')
  if (path.includes('\0')) throw unsafe(path, 'contains a NUL character')
  if (path.includes('\\')) throw unsafe(path, 'contains a backslash: separate folders with /')
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw unsafe(path, 'is absolute')
  if (parts.includes('..')) throw unsafe(path, 'climbs out with ..')
  if (parts.includes('') || parts.includes('.')) throw unsafe(path, 'is not normalized')
  // File systems that ignore case reach .git through any spelling of it.
  if (parts.some((part) => part.toLowerCase() === '.git')) throw unsafe(path, 'is inside .git')
  if (isReserved(path)) throw unsafe(path, 'is a file that strata works with itself')
}

function checkedFolder(disk: Disk, root: string, path: string): Entry | undefined {
  const entry = disk.look(`${root}/${path}`)
  if (entry === undefined) return undefined
  refuseSymlink(path, entry)
  if (entry.kind === 'folder') return entry
  throw new StrataError('conflict', `${path} is not a folder: move it away and run again`)
}

function refuseSymlink(path: string, entry: Entry): void {
  if (entry.kind !== 'symlink') return
  throw new StrataError(
    'conflict',
    `${path} is a symlink, and strata does not write through links: replace it by what it points to`,
  )
}

function unsafe(path: string, reason: string): StrataError {
  return new StrataError('usage', `the path ${JSON.stringify(path)} ${reason}: nothing was changed`)
}

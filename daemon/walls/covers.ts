import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { removeTree } from '../trees.ts'

/** A folder of the host that projects see empty, apart from some folders inside it. */
export interface Cover {
  readonly over: string
  /** Real paths below `over` that stay visible. */
  readonly visible: readonly string[]
}

/** Folders of temporary files. A private folder of the project covers each of them. */
export const temporaryFolders = ['/tmp', '/var/tmp'] as const

/**
 * Returns the covers that hide the data folder and every folder that a project's user can't search, such as /root, but
 * leave `visible` reachable. The cover that contains the data folder comes last: its mount hides the paths of the
 * others. All paths are real paths.
 */
export function planCovers(dataDir: string, visible: readonly string[]): Cover[] {
  const covers = new Map<string, string[]>(temporaryFolders.map((folder) => [folder, []]))
  for (const path of visible) {
    const over = coverOf(path, dataDir)
    if (over !== undefined) covers.set(over, [...(covers.get(over) ?? []), path])
  }
  const all = [...covers].map(([over, paths]) => ({ over, visible: paths }))
  return all.sort(
    (one, other) => Number(isIn(dataDir, one.over)) - Number(isIn(dataDir, other.over)),
  )
}

/** Creates the folders on the way to the visible paths. Returns them, in the order of `visible`. */
export async function prepareSkeleton(skeleton: string, cover: Cover): Promise<string[]> {
  const ends: string[] = []
  for (const path of cover.visible) {
    let end = skeleton
    for (const name of relative(cover.over, path).split(sep)) {
      end = join(end, name)
      await prepareFolder(end)
    }
    ends.push(end)
  }
  return ends
}

/** A project may write its temporary folder: what is not a folder of root is replaced. */
async function prepareFolder(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() && stats.uid === process.geteuid?.()) return
  if (stats) await removeTree(path)
  mkdirSync(path)
  chmodSync(path, 0o755)
}

function coverOf(path: string, dataDir: string): string | undefined {
  const temporary = temporaryFolders.find((folder) => isIn(path, folder))
  if (temporary !== undefined) return temporary
  const closed = ancestorsOf(path).find((folder) => !isSearchable(folder))
  return closed ?? (isIn(path, dataDir) ? dataDir : undefined)
}

/** Returns the ancestors of a path without `/`, outermost first. */
function ancestorsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path || parent === '/' ? [] : [...ancestorsOf(parent), parent]
}

function isSearchable(folder: string): boolean {
  return (statSync(folder).mode & 0o001) !== 0
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`)
}

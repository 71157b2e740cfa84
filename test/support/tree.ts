import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One sha256 (hex) over everything under `root`: path, kind, mode and content of each file, folder
 * and symlink, so that equal hashes mean that not one byte differs. `ignore` names paths relative to
 * the root, with `/`, that are left out with all below them. Times and owners don't count.
 */
export function hashTree(
  root: string,
  { ignore = [] }: { ignore?: readonly string[] } = {},
): string {
  const hash = createHash('sha256')
  for (const path of walk(root, ignore)) {
    const full = join(root, path)
    const stats = lstatSync(full)
    const content = stats.isFile()
      ? readFileSync(full)
      : stats.isSymbolicLink()
        ? readlinkSync(full)
        : ''
    // Lengths first, so that no content can look like the next entry.
    hash.update(`${JSON.stringify(path)} ${stats.mode} ${Buffer.byteLength(content)}\n`)
    hash.update(content)
  }
  return hash.digest('hex')
}

/** The text of every file under `root` by path relative to it, with `/`, sorted. */
export function treeFiles(
  root: string,
  { ignore = [] }: { ignore?: readonly string[] } = {},
): Map<string, string> {
  const files = walk(root, ignore).filter((path) => lstatSync(join(root, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Every entry below `root`, parents before children, in the order of their code units. */
function walk(root: string, ignore: readonly string[], under = ''): string[] {
  const names = readdirSync(join(root, under)).sort()
  return names.flatMap((name) => {
    const path = under === '' ? name : `${under}/${name}`
    if (ignore.includes(path)) return []
    const below = lstatSync(join(root, path)).isDirectory() ? walk(root, ignore, path) : []
    return [path, ...below]
  })
}

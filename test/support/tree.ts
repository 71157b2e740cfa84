import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns one SHA-256 (hex) over path, kind, mode and content of every file, folder and symlink under
 * `root`. Equal hashes mean byte-equal trees. `ignore` lists paths relative to the root, with `/`, that
 * are skipped with everything below them. Times and owners are not part of the hash.
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
    // A length prefix prevents content from imitating the next entry.
    hash.update(`${JSON.stringify(path)} ${stats.mode} ${Buffer.byteLength(content)}\n`)
    hash.update(content)
  }
  return hash.digest('hex')
}

/** Returns the text of every file under `root` by relative path, with `/`, sorted. */
export function treeFiles(
  root: string,
  { ignore = [] }: { ignore?: readonly string[] } = {},
): Map<string, string> {
  const files = walk(root, ignore).filter((path) => lstatSync(join(root, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Yields every entry below `root`, parents before children, sorted by code units. */
function walk(root: string, ignore: readonly string[], under = ''): string[] {
  const names = readdirSync(join(root, under)).sort()
  return names.flatMap((name) => {
    const path = under === '' ? name : `${under}/${name}`
    if (ignore.includes(path)) return []
    const below = lstatSync(join(root, path)).isDirectory() ? walk(root, ignore, path) : []
    return [path, ...below]
  })
}

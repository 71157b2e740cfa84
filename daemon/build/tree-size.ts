import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the total size of all files below a folder in bytes; 0 if the folder is missing. */
export async function treeSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await treeSize(path)
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => ({ size: 0 }))).size
  }
  return bytes
}

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of the files below a folder; 0 when it is not there. */
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

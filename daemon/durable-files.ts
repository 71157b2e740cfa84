import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically. Readers see the old or the new text. Once the promise resolves, the new text survives a
 * power failure. Does not support concurrent writers of one path.
 */
export async function writeDurably(path: string, text: string, mode = 0o600): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await renameDurably(part, path)
}

/** Renames a path and syncs both folders. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
  if (dirname(from) !== dirname(to)) await syncPath(dirname(from))
}

/** Flushes the content of a file, or the directory entries of a folder, to the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns true if an error means that a path does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a whole file of `mode`: whoever looks sees the old text or the new one, and after this resolves the new one,
 * whatever is killed or cut off. One writer a path.
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

/** Renames, and waits until both folders know it. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
  if (dirname(from) !== dirname(to)) await syncPath(dirname(from))
}

/** Brings a file's content, or a folder's list of names, to the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Tells whether an error is that something does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

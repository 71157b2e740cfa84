import { chmod, mkdir } from 'node:fs/promises'

/** Creates a folder that other users may enter, but not list: they reach only subfolders whose names they know. */
export async function makePassage(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await chmod(path, 0o711)
}

import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** Opens a folder. Throws ELOOP or ENOTDIR if the last part of the path is not a folder. */
export function openFolder(path: string | Buffer): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
}

/** Returns a path that names an open folder, whatever its name is now. Only Linux has such paths. */
export function pathOfOpen(folder: number, path: string): string {
  return hasOpenPaths ? `/proc/self/fd/${folder}` : path
}

/**
 * Calls `work` with a path that names the folder `inside`, a path below `top` without symlinks. The path stays inside
 * `top` even if a program replaces a folder by a symlink meanwhile. Throws ELOOP or ENOTDIR if one is replaced already.
 */
export async function withFolder<Result>(
  top: string,
  inside: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const parts = relative(top, inside)
    .split(sep)
    .filter((part) => part !== '')
  if (parts.includes('..')) throw new Error(`${inside} is not inside ${top}`)
  let folder = openFolder(top)
  let path = top
  try {
    for (const part of parts) {
      const next = openFolder(`${pathOfOpen(folder, path)}/${part}`)
      closeSync(folder)
      folder = next
      path = `${path}/${part}`
    }
    return await work(pathOfOpen(folder, path))
  } finally {
    closeSync(folder)
  }
}

const hasOpenPaths = existsSync('/proc/self/fd')

import { readdir, writeFile } from 'node:fs/promises'
import { runGroup } from '../spawn/run-group.ts'

/** Detects changes in a folder of packages. */
export interface PackageChanges {
  /**
   * Returns true if any file was created, changed or removed, except caches of tools, or if the check fails. Compares
   * ctime, which programs cannot set.
   */
  hasChanges(): Promise<boolean>
}

/** Starts to track changes. Writes the file `marker`. `path` is the PATH with `find`. */
export async function trackPackageChanges(
  packages: string,
  options: { marker: string; path: string },
): Promise<PackageChanges> {
  const { marker } = options
  const names = await namesIn(packages)
  await writeFile(marker, '')
  return {
    async hasChanges() {
      // Ignore the ctime of the folder itself: creating a tool cache changes it.
      return (await namesIn(packages)) !== names || (await hasNewer(packages, marker, options.path))
    },
  }
}

/** Folders of caches that tools keep in `node_modules`. */
export const toolCaches = ['.cache', '.vite', '.vite-temp', '.tmp']

async function namesIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => !toolCaches.includes(name))
    .sort()
    .join('/')
}

async function hasNewer(folder: string, marker: string, path: string): Promise<boolean> {
  let isFound = false
  const skipped = toolCaches.flatMap((name) => ['-o', '-path', `${folder}/${name}`]).slice(1)
  const end = await runGroup({
    command: 'find',
    args: [
      folder,
      '-mindepth',
      '1',
      '(',
      ...skipped,
      ')',
      '-prune',
      '-o',
      '-cnewer',
      marker,
      '-print',
    ],
    cwd: folder,
    env: { PATH: path, LC_ALL: 'C' },
    timeoutMs: 60_000,
    graceMs: 1000,
    onOutput: () => {
      isFound = true
    },
  })
  return isFound || end.kind !== 'exited' || end.code !== 0
}

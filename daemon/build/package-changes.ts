import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runGroup } from '../spawn/run-group.ts'

/** Tells whether a folder of packages was changed. */
export interface Watch {
  /**
   * True when something in it was made, changed or removed since, tools' own caches aside; true as well where that can't be
   * found out. It goes by the time of the last change that the system keeps and no program can set.
   */
  isChanged(): Promise<boolean>
}

/** `scratchFolder` gets a file that the times are compared with. `path`: where `find` is. */
export async function watchPackages(
  packages: string,
  options: { scratchFolder: string; path: string },
): Promise<Watch> {
  const marker = join(options.scratchFolder, '.watched')
  const names = await namesIn(packages)
  await writeFile(marker, '')
  return {
    async isChanged() {
      // The folder's own time says nothing: a cache was made in it.
      return (await namesIn(packages)) !== names || (await hasNewer(packages, marker, options.path))
    },
  }
}

/** Takes away what tools keep among the packages for their next run. */
export async function dropToolCaches(packages: string): Promise<void> {
  for (const name of caches) await rm(join(packages, name), { recursive: true, force: true })
}

const caches = ['.cache', '.vite', '.vite-temp', '.tmp']

async function namesIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => !caches.includes(name))
    .sort()
    .join('/')
}

async function hasNewer(folder: string, marker: string, path: string): Promise<boolean> {
  let isFound = false
  const skipped = caches.flatMap((name) => ['-o', '-path', `${folder}/${name}`]).slice(1)
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

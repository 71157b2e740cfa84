import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { discardTree } from './copy-tree.ts'
import { createSingleFlight } from './single-flight.ts'
import { treeSize } from './tree-size.ts'

/** Trees of installed packages by name: made once, kept until there are too many. */
export interface InstallCache {
  /**
   * Calls `use` with the folder of an entry, which stays as long as that lasts. `make` fills a folder when there is no such
   * entry yet; of several callers at once the first makes it.
   */
  withEntry<Result>(
    name: string,
    options: {
      signal: AbortSignal
      make: (folder: string, signal: AbortSignal) => Promise<void>
      /** It is there already, or another build is at it. */
      onReady?: (how: 'kept' | 'awaited') => void
      use: (folder: string) => Promise<Result>
    },
  ): Promise<Result>
  /** Where an entry is, if it is there. */
  pathOf(name: string): string
  /** Takes away the least recently used ones past the bounds; never those in use. */
  prune(bounds: { entries: number; bytes: number }): Promise<void>
}

/** `folder` holds the entries, `scratchFolder` what is being made and what is being removed; both on one file system. */
export function createInstallCache(options: {
  folder: string
  scratchFolder: string
  now: () => number
}): InstallCache {
  const { folder, scratchFolder, now } = options
  const flights = createSingleFlight<void>()
  const users = new Map<string, number>()
  const leaving = new Map<string, Promise<unknown>>()

  async function makeEntry(
    name: string,
    make: (folder: string, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const staged = join(scratchFolder, `install-${randomBytes(8).toString('hex')}`)
    await mkdir(staged, { recursive: true })
    try {
      await make(staged, signal)
      await writeFile(join(staged, sizeFile), String(await treeSize(staged)))
      await mkdir(folder, { recursive: true })
      await rename(staged, join(folder, name))
    } finally {
      await rm(staged, { recursive: true, force: true })
    }
  }

  return {
    async withEntry(name, { signal, make, onReady, use }) {
      await leaving.get(name)
      users.set(name, (users.get(name) ?? 0) + 1)
      const path = join(folder, name)
      try {
        if (await isFolder(path)) {
          onReady?.('kept')
        } else {
          const flight = flights.share(name, signal, async (shared) => {
            if (!(await isFolder(path))) await makeEntry(name, make, shared)
          })
          if (!flight.isFirst) onReady?.('awaited')
          await flight.value
        }
        const seconds = now() / 1000
        await utimes(path, seconds, seconds)
        return await use(path)
      } finally {
        const left = (users.get(name) ?? 1) - 1
        if (left === 0) users.delete(name)
        else users.set(name, left)
      }
    },

    pathOf: (name) => join(folder, name),

    async prune(bounds) {
      const names = await readdir(folder).catch(() => [])
      const entries = await Promise.all(
        names.map(async (name) => {
          const path = join(folder, name)
          const usedAt = await stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          )
          const size = await readFile(join(path, sizeFile), 'utf8').then(Number, () => 0)
          return { name, usedAt, size }
        }),
      )
      let count = 0
      let bytes = 0
      for (const { name, size } of entries.sort((one, other) => other.usedAt - one.usedAt)) {
        count += 1
        bytes += size
        if (count <= bounds.entries && bytes <= bounds.bytes) continue
        if (users.has(name) || leaving.has(name)) continue
        count -= 1
        bytes -= size
        const left = discardTree(join(folder, name), scratchFolder)
        leaving.set(name, left)
        const { gone } = await left.finally(() => leaving.delete(name))
        await gone
      }
    },
  }
}

/** Bytes of an entry, so that nobody has to count them again. */
const sizeFile = '.size'

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTree } from '../trees.ts'
import { discardTree } from './copy-tree.ts'
import { createSingleFlight } from './single-flight.ts'
import { treeSize } from './tree-size.ts'

/** A cache of installed package trees by name, with least-recently-used eviction. */
export interface InstallCache {
  /**
   * Calls `use` with the folder of a cache entry, which is not evicted meanwhile. `create` fills the folder of a
   * missing entry, once for concurrent callers.
   */
  withEntry<Result>(
    name: string,
    options: {
      signal: AbortSignal
      create: (folder: string, signal: AbortSignal) => Promise<void>
      /** Called if the cache entry exists (`cached`) or if another build is creating it (`awaited`). */
      onHit?: (how: 'cached' | 'awaited') => void
      use: (folder: string) => Promise<Result>
    },
  ): Promise<Result>
  /** Returns the folder of a cache entry, which may not exist. */
  pathOf(name: string): string
  /** Evicts the least recently used entries above the limits, except entries in use. */
  prune(bounds: { entries: number; bytes: number }): Promise<void>
  /** Removes the entries that `isStale` selects by name, except entries in use. */
  remove(isStale: (name: string) => boolean): Promise<void>
}

/** Entries under construction or removal are in `scratchFolder`, which must be on the file system of `folder`. */
export function createInstallCache(options: {
  folder: string
  scratchFolder: string
  now: () => number
}): InstallCache {
  const { folder, scratchFolder, now } = options
  const flights = createSingleFlight<void>()
  const users = new Map<string, number>()
  const evictions = new Map<string, Promise<unknown>>()

  async function createEntry(
    name: string,
    create: (folder: string, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const staged = join(scratchFolder, `install-${randomBytes(8).toString('hex')}`)
    await mkdir(scratchFolder, { recursive: true })
    // Other users may enter: npm runs in a subfolder.
    await mkdir(staged, { mode: 0o711 })
    await chmod(staged, 0o711)
    try {
      await create(staged, signal)
      await writeFile(join(staged, sizeFile), String(await treeSize(staged)))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(staged, join(folder, name))
    } finally {
      await removeTree(staged)
    }
  }

  /** Returns false if the entry is in use. */
  async function evict(name: string): Promise<boolean> {
    if (users.has(name) || evictions.has(name)) return false
    const eviction = discardTree(join(folder, name), scratchFolder)
    evictions.set(name, eviction)
    const { removed } = await eviction.finally(() => evictions.delete(name))
    await removed
    return true
  }

  return {
    async withEntry(name, { signal, create, onHit, use }) {
      await evictions.get(name)
      users.set(name, (users.get(name) ?? 0) + 1)
      const path = join(folder, name)
      try {
        if (await isFolder(path)) {
          onHit?.('cached')
        } else {
          const flight = flights.share(name, signal, async (shared) => {
            if (!(await isFolder(path))) await createEntry(name, create, shared)
          })
          if (!flight.isFirst) onHit?.('awaited')
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
      for (const { name, size } of entries.sort((a, b) => b.usedAt - a.usedAt)) {
        count += 1
        bytes += size
        if (count <= bounds.entries && bytes <= bounds.bytes) continue
        if (!(await evict(name))) continue
        count -= 1
        bytes -= size
      }
    },

    async remove(isStale) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter(isStale)) await evict(name)
    },
  }
}

/** File with the size of a cache entry in bytes, so that pruning need not measure the entry again. */
const sizeFile = '.size'

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

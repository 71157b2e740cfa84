import { chown, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cell } from '../ports.ts'
import { discardTree } from './copy-tree.ts'
import { makePassage } from './make-passage.ts'
import { treeSize } from './tree-size.ts'

/** npm's download caches. Each project has its own: npm trusts what it finds there if a lock file has no hashes. */
export interface Downloads {
  /** Returns the folder of a project, which its user owns. Creates it if it is missing. */
  folderOf(projectId: number, cell: Pick<Cell, 'user'>): Promise<string>
  /** Removes the least recently used folders above `bytes` in total, while `mayRemove` returns true. */
  prune(bytes: number, mayRemove: () => boolean): Promise<void>
  remove(projectId: number): Promise<void>
  /** Removes files that belong to no project. */
  removeUnknown(): Promise<void>
}

export function createDownloads(options: { folder: string; scratchFolder: string }): Downloads {
  const { folder, scratchFolder } = options
  const names = () => readdir(folder).catch((): string[] => [])
  const discard = async (name: string) => {
    await (await discardTree(join(folder, name), scratchFolder)).removed
  }

  return {
    async folderOf(projectId, { user }) {
      await makePassage(folder)
      const own = join(folder, String(projectId))
      await mkdir(own, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      // The parent folder is the daemon's, so nobody can put a symlink here.
      if (user) await chown(own, user.uid, user.gid)
      const now = new Date()
      await utimes(own, now, now)
      return own
    },

    async prune(bytes, mayRemove) {
      const found = await Promise.all(
        (await names()).map(async (name) => {
          const usedAt = (await stat(join(folder, name))).mtimeMs
          return { name, usedAt, size: await treeSize(join(folder, name)) }
        }),
      )
      let total = 0
      for (const { name, size } of found.sort((a, b) => b.usedAt - a.usedAt)) {
        total += size
        if (total <= bytes) continue
        if (!mayRemove()) return
        await discard(name)
        total -= size
      }
    },

    remove: (projectId) => discard(String(projectId)),

    async removeUnknown() {
      for (const name of await names()) if (!/^\d+$/.test(name)) await discard(name)
    },
  }
}

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { layout } from './layout.ts'

/** Entries that stay on disk besides the used ones. */
const spareCount = 2

/** Removes old versions and old copies of the database, apart from the used ones and the two newest others. */
export function prune(labels: readonly string[], snapshot: string | null): void {
  pruneFolder(layout.versions, (path) => labels.some((label) => path.endsWith(`/${label}`)))
  pruneFolder(layout.snapshots, (path) => path === snapshot)
}

function pruneFolder(folder: string, isUsed: (path: string) => boolean): void {
  const unused = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !isUsed(path))
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of unused.slice(spareCount)) rmSync(path, { recursive: true, force: true })
}

import type { Environment } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Destruction } from '../run/destroy.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'

/**
 * Returns a function that removes release folders left by interrupted work: no environment of a live branch refers to
 * them.
 */
export function createOrphanedReleases(deps: {
  store: Store
  folders: ReleaseFolders
  destruction: Pick<Destruction, 'clear'>
}): () => Promise<void> {
  const { store, folders, destruction } = deps

  async function rowOf(release: string): Promise<Environment | undefined> {
    const rows = await store.environments.list(folders.projectOf(release))
    return rows.find((row) => row.release === release)
  }

  return async () => {
    const found = await folders.listReleases()
    const held = new Set(found.filter(folders.isHeld))
    const known = new Set<string>()
    for (const { projectId, branch } of await store.environments.listLive()) {
      for (const { release } of await store.environments.list(projectId, branch)) {
        if (release !== null) known.add(release)
      }
    }
    for (const release of found) {
      if (known.has(release) || held.has(release)) continue
      const row = await rowOf(release)
      if (row) await destruction.clear(row)
      await folders.removeRelease(release)
    }
  }
}

import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent, syncPath } from '../../durable-files.ts'
import { dataName } from './manifest.ts'
import { namesIn } from './paths.ts'

/**
 * Replaces the volumes of `projects`: moves each project's folder from `volumes` to `replaced/volumes`, and its staged
 * folder, if any, to `volumes`. Leaves the volumes of other projects in place. Idempotent after a kill: a project with a
 * folder in `replaced` has been moved out, and a project without a staged folder has been moved in.
 */
export async function moveVolumes({
  projects,
  staged,
  volumes,
  replaced,
  failpoint,
}: {
  projects: readonly number[]
  staged: string
  volumes: string
  replaced: string
  failpoint: (name: string) => void | Promise<void>
}): Promise<void> {
  const before = join(replaced, 'volumes')
  await mkdir(before, { recursive: true, mode: 0o700 })
  // An existing folder keeps its mode.
  await mkdir(volumes, { recursive: true, mode: 0o711 })
  await syncPath(replaced)
  const movedOut = new Set(await namesIn(before))
  for (const id of projects) {
    const name = String(id)
    if (!movedOut.has(name)) await move(join(volumes, name), join(before, name))
    await failpoint('moved-out:volumes')
    await move(join(staged, dataName, name), join(volumes, name))
    await failpoint('moved-in:volumes')
  }
  await syncPath(before)
  await syncPath(volumes)
}

/** Renames a folder. No-op if it is missing. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

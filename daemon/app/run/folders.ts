import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

/** Where releases and what apps keep are on disk. Names are relative to their folder; paths are absolute. */
export interface Folders {
  /** A name for a release that is about to be written, held until it is let go of. Its folder does not exist yet. */
  newRelease(projectId: number): Promise<string>
  releasePath(release: string): string
  projectOf(release: string): number
  hasRelease(release: string): Promise<boolean>
  /** Keeps a release from being removed; returns what lets go of it. */
  hold(release: string): () => void
  isHeld(release: string): boolean
  removeRelease(release: string): Promise<void>
  listReleases(): Promise<string[]>
  /** The folder of a branch that outlives its deploys; made when it isn't there. */
  volume(projectId: number, branch: string): Promise<string>
  removeVolume(projectId: number, branch: string): Promise<void>
  removeProject(projectId: number): Promise<void>
}

export function createFolders({ dataDir, ids }: { dataDir: string; ids: () => string }): Folders {
  const releases = join(dataDir, 'releases')
  const volumes = join(dataDir, 'volumes')
  const holds = new Map<string, number>()
  const releasePath = (release: string) => inside(releases, release)
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
  return {
    async newRelease(projectId) {
      await mkdir(join(releases, String(projectId)), { recursive: true })
      return `${projectId}/${ids()}`
    },

    releasePath,

    projectOf: (release) => Number(release.split('/')[0]),

    hasRelease: (release) => isThere(releasePath(release)),

    hold(release) {
      holds.set(release, (holds.get(release) ?? 0) + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (holds.get(release) ?? 1) - 1
        if (left === 0) holds.delete(release)
        else holds.set(release, left)
      }
    },

    isHeld: (release) => holds.has(release),

    async removeRelease(release) {
      if (!holds.has(release)) await remove(releasePath(release))
    },

    async listReleases() {
      const projects = await readdir(releases).catch(noneIfAbsent)
      const names = await Promise.all(
        projects.map(async (project) => {
          const found = await readdir(join(releases, project)).catch(noneIfAbsent)
          return found.map((name) => `${project}/${name}`)
        }),
      )
      return names.flat()
    },

    async volume(projectId, branch) {
      const path = join(volumes, String(projectId), volumeName(branch))
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },

    removeVolume: (projectId, branch) =>
      remove(join(volumes, String(projectId), volumeName(branch))),

    async removeProject(projectId) {
      await remove(join(releases, String(projectId)))
      await remove(join(volumes, String(projectId)))
    },
  }
}

/**
 * Puts a link named `data` to the branch's volume into the folder where the app starts (`root` inside the release),
 * unless there is something of that name: what an app keeps under `./data` is there after a deploy, with nothing to set.
 */
export async function linkVolume(release: string, root: string, volume: string): Promise<void> {
  const paths = [release, join(release, root), volume]
  const [top, folder, target] = await Promise.all(paths.map(realPathOf))
  // A build may make the folder later, or a link that leads elsewhere.
  if (!top || !folder || !target || (folder !== top && !folder.startsWith(`${top}/`))) return
  const link = join(folder, 'data')
  // Relative, so that the data folder may be moved.
  if (!(await isThere(link))) await symlink(relative(folder, target), link)
}

function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Readable, never a path of several parts, and no two branches the same. */
function volumeName(branch: string): string {
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, 12)
  return `${branch.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${hash}`
}

/** Names come from the database; one that leads out of the folder is a bug that must not remove anything. */
function inside(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (!path.startsWith(`${folder}/`)) throw new Error(`${name} is no name of a release`)
  return path
}

function noneIfAbsent(error: unknown): string[] {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  }
  throw error
}

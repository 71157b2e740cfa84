import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { AppTrees } from '../../ports.ts'
import { linkInside } from '../../trees.ts'

/** ReleaseFolders of releases and volumes. Release names are relative to the releases folder; paths are absolute. */
export interface ReleaseFolders {
  /** Returns a new release name. Creates only the parent folder. */
  newRelease(projectId: number): Promise<string>
  releasePath(release: string): string
  projectOf(release: string): number
  hasRelease(release: string): Promise<boolean>
  /** Protects a release from removal. Returns an idempotent function that ends the protection. */
  hold(release: string): () => void
  isHeld(release: string): boolean
  /** Removes a release folder. No-op for a protected or absent release. */
  removeRelease(release: string): Promise<void>
  listReleases(): Promise<string[]>
  /** Returns the path of a branch's persistent folder; creates the folder if it is missing. */
  volume(projectId: number, branch: string): Promise<string>
  /** Returns the name of a branch's persistent folder, relative to the folder of all volumes. */
  volumeName(projectId: number, branch: string): string
  /** Removes all releases of a project. */
  removeProject(projectId: number): Promise<void>
}

export function createReleaseFolders({
  dataDir,
  ids,
  trees,
  discard = async () => {},
}: {
  dataDir: string
  ids: () => string
  trees: Pick<AppTrees, 'remove'>
  /** Removes what belongs to a release outside of its folder. */
  discard?: (folder: string) => Promise<void>
}): ReleaseFolders {
  const releases = join(dataDir, 'releases')
  const volumes = join(dataDir, 'volumes')
  const holds = new Map<string, number>()
  const releasePath = (release: string) => resolveInside(releases, release)
  const volumeName = (projectId: number, branch: string) =>
    join(String(projectId), volumeFolder(branch))
  return {
    async newRelease(projectId) {
      await passageTo(join(releases, String(projectId)))
      return `${projectId}/${ids()}`
    },

    releasePath,

    projectOf: (release) => Number(release.split('/')[0]),

    hasRelease: (release) => exists(releasePath(release)),

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
      if (holds.has(release)) return
      await discard(releasePath(release))
      await trees.remove(releasePath(release))
    },

    async listReleases() {
      const projects = await readdir(releases).catch(emptyIfAbsent)
      const names = await Promise.all(
        projects.map(async (project) => {
          const found = await readdir(join(releases, project)).catch(emptyIfAbsent)
          return found.map((name) => `${project}/${name}`)
        }),
      )
      return names.flat()
    },

    async volume(projectId, branch) {
      const path = join(volumes, volumeName(projectId, branch))
      await passageTo(join(volumes, String(projectId)))
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },

    volumeName,

    removeProject: (projectId) => trees.remove(join(releases, String(projectId))),
  }
}

/**
 * Links `data` in the folder where the app starts (`root` inside the release) to the branch's volume, so that files in
 * `./data` survive deploys. No-op if `data` exists, or if `root` is missing or leads out of the release.
 */
export async function linkVolume(release: string, root: string, volume: string): Promise<void> {
  const paths = [release, join(release, root), volume]
  const [top, folder, target] = await Promise.all(paths.map(realPathOf))
  if (!top || !folder || !target || (folder !== top && !folder.startsWith(`${top}/`))) return
  // A relative link survives a move of the data folder.
  linkInside(folder, 'data', (real) => {
    return real === top || real.startsWith(`${top}/`) ? relative(real, target) : undefined
  })
}

/**
 * Creates a folder whose content has other owners: users may pass through it, but not list or change it. Keeps the
 * owner's rights away from the project, which could replace its folders by links otherwise.
 */
async function passageTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await chmod(folder, 0o711)
}

function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Returns a readable folder name, unique for each branch. */
function volumeFolder(branch: string): string {
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, 12)
  return `${branch.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${hash}`
}

/**
 * Returns the path of a release. Throws if the name leads out of the releases folder: removing such a path would delete
 * other files.
 */
function resolveInside(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (!path.startsWith(`${folder}/`)) throw new Error(`invalid release name ${name}`)
  return path
}

function emptyIfAbsent(error: unknown): string[] {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  }
  throw error
}

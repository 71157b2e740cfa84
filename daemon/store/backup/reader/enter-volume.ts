import { execFileSync } from 'node:child_process'
import { chownSync, fstatSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../../open-folder.ts'

/**
 * Makes the volume the working folder and becomes its owner. As root in a mount namespace of its own, binds the volume
 * and the folder for snapshots below a folder that every user can reach: SQLite opens absolute paths, and the data
 * folder may be closed to the owner. Returns the folder for snapshots.
 */
export function enterVolume(place: {
  readonly volumes: string
  readonly project: string
  readonly volume: string
  readonly snapshots: string
}): Place {
  const isRoot = process.getuid?.() === 0
  const parent = openFolder(join(place.volumes, place.project))
  // The path through the descriptor can't be replaced by a link, unlike a path of names.
  const isLinux = process.platform === 'linux'
  const folder = openFolder(
    isLinux
      ? `/proc/self/fd/${parent}/${place.volume}`
      : join(place.volumes, place.project, place.volume),
  )
  const { uid, gid } = fstatSync(folder)
  if (!isRoot) {
    process.chdir(join(place.volumes, place.project, place.volume))
    return { uid: null, snapshots: place.snapshots, leave: () => {} }
  }
  chownSync(place.snapshots, uid, gid)
  const bound = process.env.STRATA_OWN_MOUNTS === '1' ? bindFolders(folder, place) : undefined
  process.chdir(bound ? bound.volume : `/proc/self/fd/${folder}`)
  becomeUser(uid, gid)
  if (bound) return { uid, snapshots: bound.snapshots, leave: () => {} }
  if (uid === 0) return { uid, snapshots: place.snapshots, leave: () => {} }
  const snapshots = mkdtempSync(join(tmpdir(), 'strata-snapshot-'))
  return { uid, snapshots, leave: () => rmSync(snapshots, { recursive: true, force: true }) }
}

export interface Place {
  /** The user of this process; null if the daemon is not root. */
  readonly uid: number | null
  /** Absolute path of an empty folder for copies of databases. */
  readonly snapshots: string
  /** Removes the folder, if it is one outside the data folder. */
  leave(): void
}

/** Folders that exist on every Linux and that a temporary file system may cover in this process alone. */
const coverable = ['/mnt', '/media', '/srv', '/opt']

function bindFolders(
  folder: number,
  { volumes, snapshots }: { volumes: string; snapshots: string },
): { volume: string; snapshots: string } | undefined {
  const isFree = (path: string) =>
    !`${volumes}/`.startsWith(`${path}/`) &&
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory()
  const top = coverable.find(isFree)
  if (top === undefined) return undefined
  const mount = (...args: string[]) =>
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe', folder], env: mountEnv })
  mount('-t', 'tmpfs', '-o', 'mode=0755,size=64k,nosuid,nodev', 'strata', top)
  const bound = { volume: join(top, 'volume'), snapshots: join(top, 'snapshots') }
  mkdirSync(bound.volume)
  mkdirSync(bound.snapshots)
  mount('--no-canonicalize', '--bind', '/proc/self/fd/3', bound.volume)
  mount('--bind', snapshots, bound.snapshots)
  return bound
}

const mountEnv = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** Drops root for good. The kernel clears the capabilities, and other processes of the user can't trace this one. */
function becomeUser(uid: number, gid: number): void {
  if (uid === 0) return
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid) {
    throw new Error(`could not become user ${uid}`)
  }
}

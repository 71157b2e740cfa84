import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../trees.ts'
import { type Cover, prepareSkeleton, temporaryFolders } from './covers.ts'
import type { MountStep } from './namespaces.ts'
import { processesOf } from './user-processes.ts'

/** Private folders of a project below `cells/<project id>`. */
export interface CellFolders {
  readonly home: string
  /** Steps that mount the private folders. */
  readonly mounts: readonly MountStep[]
}

/** The steps that every namespace has. */
export const sharedMounts = {
  memory: { args: ['-t', 'tmpfs', '-o', 'size=64m,mode=1777,nosuid,nodev', 'tmpfs', '/dev/shm'] },
  /** Kernels before 5.8 refuse the option `invisible`: there, the option would change /proc of the whole host. */
  processes: {
    args: ['-t', 'proc', '-o', 'hidepid=invisible,nosuid,nodev,noexec', 'proc', '/proc'],
    isOptional: true,
  },
} as const satisfies Record<string, MountStep>

/**
 * Creates the private folders. Temporary files of the project are removed if it has no process: its apps start anew.
 */
export async function prepareCellFolders(
  folder: string,
  uid: number,
  covers: readonly Cover[],
): Promise<CellFolders> {
  ensureFolder(folder, { uid: 0, gid: uid, mode: 0o710 })
  const home = join(folder, 'home')
  ensureFolder(home, { uid, gid: uid, mode: 0o700 })
  const isIdle = processesOf(uid).length === 0
  const inner: MountStep[] = []
  const outer: MountStep[] = []
  for (const cover of covers) {
    const skeleton = join(folder, nameOf(cover.over))
    const isTemporary = temporaryFolders.some((each) => each === cover.over)
    if (isTemporary && isIdle) await removeTree(skeleton)
    ensureFolder(skeleton, { uid: 0, gid: 0, mode: isTemporary ? 0o1777 : 0o755 })
    const ends = await prepareSkeleton(skeleton, cover)
    inner.push(...ends.map((end, at) => ({ args: ['--bind', cover.visible[at] ?? '', end] })))
    outer.push({ args: ['--rbind', skeleton, cover.over] })
  }
  return { home, mounts: [...inner, ...outer] }
}

/** Returns a folder name for a cover: `tmp`, `var-tmp`, `root`. */
function nameOf(path: string): string {
  return `over${path.replaceAll('/', '-')}`
}

function ensureFolder(
  path: string,
  { uid, gid, mode }: { uid: number; gid: number; mode: number },
): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is no folder`)
  chownSync(path, uid, gid)
  chmodSync(path, mode)
}

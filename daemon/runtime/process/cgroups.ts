import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Memory and process limits of apps, on hosts that let the daemon set them. */
export interface AppLimits {
  readonly kind: 'none' | 'cgroup-v1' | 'cgroup-v2'
  /** Moves a process into the app's control group. Its future children inherit the group. */
  enter(name: string, pid: number, memoryMb: number): void
  /** Removes the app's control group. Call after the app's last process has ended. */
  remove(name: string): void
}

const maxProcesses = 1024

const noLimits: AppLimits = { kind: 'none', enter: () => {}, remove: () => {} }

/**
 * Creates control groups below `folder`. The host's owner must delegate the folder to the daemon (systemd:
 * `Delegate=yes`, with the daemon itself in a sibling group). Apps have no limits if `folder` is null or unusable.
 */
export function createAppLimits(folder: string | null): AppLimits {
  const version = folder === null ? undefined : detectVersion(folder)
  if (folder === null || version === undefined) return noLimits
  const limits =
    version === 2
      ? (memoryMb: number) => ({
          'memory.max': memoryMb * 2 ** 20,
          'memory.oom.group': 1,
          'pids.max': maxProcesses,
        })
      : (memoryMb: number) => ({ 'memory.limit_in_bytes': memoryMb * 2 ** 20 })

  return {
    kind: version === 2 ? 'cgroup-v2' : 'cgroup-v1',
    enter(name, pid, memoryMb) {
      const group = join(folder, name)
      mkdirSync(group, { recursive: true })
      for (const [file, value] of Object.entries(limits(memoryMb))) {
        if (existsSync(join(group, file))) writeFileSync(join(group, file), String(value))
      }
      writeFileSync(join(group, 'cgroup.procs'), String(pid))
    },
    remove(name) {
      try {
        rmdirSync(join(folder, name))
      } catch {
        // Ignored: the group does not exist, or the kernel still counts its last process. The app's next start reuses
        // the group.
      }
    },
  }
}

function detectVersion(folder: string): 1 | 2 | undefined {
  try {
    if (existsSync(join(folder, 'memory.limit_in_bytes'))) return 1
    if (!readFileSync(join(folder, 'cgroup.controllers'), 'utf8').includes('memory'))
      return undefined
    writeFileSync(join(folder, 'cgroup.subtree_control'), '+memory +pids')
    return 2
  } catch {
    return undefined
  }
}

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Limits on what an app takes, where the host lets the daemon set them. */
export interface AppLimits {
  readonly kind: 'none' | 'cgroup-v1' | 'cgroup-v2'
  /** Puts a process, and with it all that it starts, under the limits of an app. */
  enter(name: string, pid: number, memoryMb: number): void
  /** Called when no process of the app is left. */
  remove(name: string): void
}

const mostProcesses = 1024

const none: AppLimits = { kind: 'none', enter: () => {}, remove: () => {} }

/**
 * Control groups below `folder`, which the host's owner must have handed to the daemon (for systemd: `Delegate=yes`, and the
 * daemon itself in a group of its own beside it). Nothing is taken that was not given: without a folder, or where it
 * can't be used, apps have no limits.
 */
export function createAppLimits(folder: string | null): AppLimits {
  const version = folder === null ? undefined : prepare(folder)
  if (folder === null || version === undefined) return none
  const limits =
    version === 2
      ? (memoryMb: number) => ({
          'memory.max': memoryMb * 2 ** 20,
          'memory.oom.group': 1,
          'pids.max': mostProcesses,
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
        // It was never made, or the kernel still counts its last process; the next start uses it again.
      }
    },
  }
}

function prepare(folder: string): 1 | 2 | undefined {
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

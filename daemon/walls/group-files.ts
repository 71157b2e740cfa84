import type { GroupLimits, GroupUsage } from '../ports.ts'

/** Controllers that limit groups. */
export type Controller = 'memory' | 'cpu' | 'pids'

export const controllerNames: readonly Controller[] = ['memory', 'cpu', 'pids']

/** A value for a file of a control group. Optional files exist on some kernels only. */
export interface GroupFile {
  readonly name: string
  readonly value: string
  readonly isOptional?: boolean
}

const periodUs = 100_000
const mib = 2 ** 20

/** Returns the files that set one controller's limit. */
export function limitFiles(
  version: 1 | 2,
  controller: Controller,
  { memoryMb, cpus, cpuWeight = 100, pids }: GroupLimits,
): readonly GroupFile[] {
  const bytes = String(memoryMb * mib)
  const quotaUs = cpus === null ? undefined : Math.max(1000, Math.round(cpus * periodUs))
  if (controller === 'pids') return [{ name: 'pids.max', value: String(pids) }]
  if (version === 1) {
    return controller === 'memory'
      ? [
          { name: 'memory.limit_in_bytes', value: bytes },
          { name: 'memory.memsw.limit_in_bytes', value: bytes, isOptional: true },
        ]
      : [
          { name: 'cpu.cfs_period_us', value: String(periodUs) },
          { name: 'cpu.cfs_quota_us', value: String(quotaUs ?? -1) },
          { name: 'cpu.shares', value: String(Math.round((cpuWeight / 100) * 1024)) },
        ]
  }
  return controller === 'memory'
    ? [
        { name: 'memory.max', value: bytes },
        { name: 'memory.swap.max', value: '0', isOptional: true },
        { name: 'memory.oom.group', value: '1', isOptional: true },
      ]
    : [
        { name: 'cpu.max', value: `${quotaUs ?? 'max'} ${periodUs}` },
        { name: 'cpu.weight', value: String(cpuWeight) },
      ]
}

/** Files of a memory group: the number of processes that the kernel ended, the limit, and the use with its parts. */
export const memoryFiles = {
  1: {
    events: 'memory.oom_control',
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    stat: 'memory.stat',
  },
  2: { events: 'memory.events', limit: 'memory.max', used: 'memory.current', stat: 'memory.stat' },
} as const

/** Returns the memory limit in MiB if the kernel ended a process for it; otherwise null. */
export function outOfMemoryMb(events: string, limit: string): number | null {
  const kills = Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0)
  return kills > 0 ? Math.round(Number(limit) / mib) : null
}

/** Texts of the files of a group, empty or undefined if the file does not exist. */
export interface UsageFiles {
  readonly used: string | undefined
  readonly stat: string | undefined
  /** Version 2. */
  readonly cpuStat: string | undefined
  /** Version 1: nanoseconds. */
  readonly cpuUsage: string | undefined
}

export function usageOf({ used, stat, cpuStat, cpuUsage }: UsageFiles): GroupUsage {
  // Version 1 counts the group alone in `inactive_file`, and with its children in `total_inactive_file`.
  const cache =
    /^total_inactive_file (\d+)$/m.exec(stat ?? '')?.[1] ??
    /^inactive_file (\d+)$/m.exec(stat ?? '')?.[1]
  const microseconds = /^usage_usec (\d+)$/m.exec(cpuStat ?? '')?.[1]
  const cpuMs = microseconds ? Number(microseconds) / 1e3 : cpuUsage && Number(cpuUsage) / 1e6
  return {
    memoryBytes: used ? Math.max(0, Number(used) - Number(cache ?? 0)) : null,
    cpuMs: typeof cpuMs === 'number' ? cpuMs : null,
  }
}

import type { GroupLimits } from '../ports.ts'

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

/** Files of a memory group: the number of processes that the kernel ended, and the limit. */
export const memoryFiles = {
  1: { events: 'memory.oom_control', limit: 'memory.limit_in_bytes' },
  2: { events: 'memory.events', limit: 'memory.max' },
} as const

/** Returns the memory limit in MiB if the kernel ended a process for it; otherwise null. */
export function outOfMemoryMb(events: string, limit: string): number | null {
  const kills = Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0)
  return kills > 0 ? Math.round(Number(limit) / mib) : null
}

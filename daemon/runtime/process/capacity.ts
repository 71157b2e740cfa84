import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

export interface Capacity {
  readonly memoryBytes: number
  readonly memoryFreeBytes: number
  readonly cpuCount: number
}

/**
 * Returns the memory for apps in bytes: the host's memory, capped by the limits of the daemon's control group and its
 * ancestors. Reclaimable caches count as free.
 */
export async function readCapacity({
  proc = '/proc',
  cgroups = '/sys/fs/cgroup',
}: {
  proc?: string
  cgroups?: string
} = {}): Promise<Capacity> {
  const meminfo = await readFile(join(proc, 'meminfo'), 'utf8')
  let memoryBytes = kilobytes(meminfo, 'MemTotal')
  let memoryFreeBytes = kilobytes(meminfo, 'MemAvailable')
  for (const group of await groupsAbove(proc, cgroups)) {
    const { limit, used } = await readGroup(group)
    if (limit === undefined || used === undefined || limit >= kilobytes(meminfo, 'MemTotal'))
      continue
    memoryBytes = Math.min(memoryBytes, limit)
    memoryFreeBytes = Math.max(0, Math.min(memoryFreeBytes, limit - used))
  }
  return { memoryBytes, memoryFreeBytes, cpuCount: availableParallelism() }
}

interface Group {
  readonly folder: string
  readonly version: 1 | 2
}

/** Returns the daemon's memory control group and its ancestors, for both versions of control groups. */
async function groupsAbove(proc: string, cgroups: string): Promise<Group[]> {
  const lines = (await tryRead(join(proc, 'self/cgroup')))?.trim().split('\n') ?? []
  return lines.flatMap((line) => {
    const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const version = controllers === '' ? 2 : 1
    if (version === 1 && !controllers.split(',').includes('memory')) return []
    const root = version === 1 ? join(cgroups, 'memory') : cgroups
    return ancestors(path).map((each): Group => ({ folder: join(root, each), version }))
  })
}

/**
 * Returns `/a/b`, `/a` and `/` for `/a/b`. In a container, the path may be a path of the host; then only the root
 * exists.
 */
function ancestors(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...ancestors(parent)]
}

async function readGroup({ folder, version }: Group): Promise<{ limit?: number; used?: number }> {
  const [limitFile, usedFile, cacheKey] =
    version === 2
      ? ['memory.max', 'memory.current', 'inactive_file']
      : ['memory.limit_in_bytes', 'memory.usage_in_bytes', 'total_inactive_file']
  const limit = Number(await tryRead(join(folder, limitFile ?? '')))
  const used = Number(await tryRead(join(folder, usedFile ?? '')))
  // The value is NaN if the limit is `max` or a file is missing.
  if (Number.isNaN(limit) || Number.isNaN(used)) return {}
  const stat = (await tryRead(join(folder, 'memory.stat'))) ?? ''
  const cache = Number(new RegExp(`^${cacheKey} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
  return { limit, used: Math.max(0, used - cache) }
}

async function tryRead(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

function kilobytes(meminfo: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0) * 1024
}

import { readFileSync } from 'node:fs'
import type { AppUsage, GroupUsage, Walls } from '../../ports.ts'
import type { AppIdentity } from './app-processes.ts'
import { listProcesses, type ProcessStat } from './proc.ts'

/** An app to measure. */
export interface MeasuredApp {
  readonly environmentId: number
  readonly identity: AppIdentity
}

/**
 * Measures apps, and returns their use by environment id. Reads their control groups; if these do not count memory or
 * processor time, reads the processes instead. Omits apps that ended meanwhile.
 */
export async function readUsages(
  apps: readonly MeasuredApp[],
  walls: Pick<Walls, 'usage' | 'members'>,
): Promise<Map<number, AppUsage>> {
  const measured = apps.map((app) => ({ ...app, group: walls.usage(app.identity.group) }))
  const isListed = measured.some(({ group }) => !isComplete(group))
  const family = familiesOf(isListed ? await listProcesses(0) : [])
  return summed(
    measured.flatMap(({ environmentId, identity, group }): [number, AppUsage][] => {
      if (isComplete(group)) return [[environmentId, group]]
      const pids = walls.members(identity.group) ?? family(identity.pid)
      const usages = pids.flatMap((pid) => readProcessUsage(pid) ?? [])
      if (usages.length === 0) return []
      const memoryBytes = group?.memoryBytes ?? sum(usages.map((each) => each.memoryBytes))
      const cpuMs = group?.cpuMs ?? sum(usages.map((each) => each.cpuMs))
      return [[environmentId, { memoryBytes, cpuMs }]]
    }),
  )
}

/** Adds the use of the processes of each environment. */
function summed(usages: readonly [number, AppUsage][]): Map<number, AppUsage> {
  const sums = new Map<number, AppUsage>()
  for (const [id, { memoryBytes, cpuMs }] of usages) {
    const other = sums.get(id) ?? { memoryBytes: 0, cpuMs: 0 }
    sums.set(id, {
      memoryBytes: other.memoryBytes + memoryBytes,
      cpuMs: other.cpuMs + cpuMs,
    })
  }
  return sums
}

function isComplete(group: GroupUsage | undefined): group is AppUsage {
  return group !== undefined && group.memoryBytes !== null && group.cpuMs !== null
}

/** Returns a function that returns the processes in the group or the session of a leader. */
function familiesOf(processes: readonly ProcessStat[]): (leader: number) => readonly number[] {
  const families = new Map<number, number[]>()
  for (const { pid, group, session } of processes) {
    for (const leader of new Set([group, session])) {
      const family = families.get(leader) ?? []
      family.push(pid)
      families.set(leader, family)
    }
  }
  return (leader) => families.get(leader) ?? []
}

/** Milliseconds of a clock tick: Linux reports 100 ticks a second on all supported processors. */
const tickMs = 10

/**
 * Returns the use of one process. Memory that several processes share counts in parts, so that a sum counts it once.
 * Returns undefined if the process has ended or belongs to another user.
 */
export function readProcessUsage(pid: number): AppUsage | undefined {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(tryRead(`/proc/${pid}/smaps_rollup`))?.[1]
  const stat = tryRead(`/proc/${pid}/stat`)
  // The name of the program ends with the last parenthesis. The fields include the time of ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (kilobytes === undefined || fields.length < 15) return undefined
  const ticks = sum(fields.slice(11, 15).map(Number))
  return { memoryBytes: Number(kilobytes) * 1024, cpuMs: ticks * tickMs }
}

/** Returns '' if the process has ended or belongs to another user. */
function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

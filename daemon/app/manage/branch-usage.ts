import { addTraffic, noTraffic, type Traffic } from '../../domain/traffic.ts'
import type { Store } from '../../ports.ts'
import type { BranchTotals, UsageSample, UsageSlot } from '../ground/use-cases.ts'
import type { BranchSlot, UsageArchive } from './usage-archive.ts'

/** Sums use and requests of branches. A branch keeps its sums over deploys, which make new environments. */
export interface BranchUsage {
  /** Adds requests by environment id. */
  addTraffic(at: number, traffic: ReadonlyMap<number, Traffic>): Promise<void>
  /** Adds the newest samples by environment id. Archives the slot that ended before `at`. */
  addSamples(at: number, samples: ReadonlyMap<number, UsageSample>): Promise<void>
  /** Archives the slot that is open. */
  flush(): Promise<void>
  /** Returns the slots of a branch since a time, with the open one. */
  slots(projectId: number, branch: string, since: number): Promise<UsageSlot[]>
  totals(): BranchTotals[]
}

/** Length of a slot: seven days have 672. */
export const slotMs = 15 * 60_000

/** Maximum number of branches with totals. The branch that was used least recently goes first. */
const maxBranches = 1_000

interface Branch {
  readonly projectId: number
  readonly branch: string
}
/** The open slot of a branch. Memory is the maximum, and the processor use an average over the samples. */
interface Open {
  memoryBytes: number | null
  cpuSum: number
  cpuCount: number
  traffic: Traffic
}

export function createBranchUsage({
  store,
  archive,
}: {
  store: Pick<Store, 'environments'>
  archive: UsageArchive
}): BranchUsage {
  const totals = new Map<string, BranchTotals>()
  const open = new Map<string, Branch & Open>()
  let slotAt = 0

  async function branchOf(environmentId: number): Promise<Branch | undefined> {
    const found = await store.environments.find(environmentId)
    return found && { projectId: found.projectId, branch: found.branch }
  }

  function openSlot(branch: Branch): Branch & Open {
    const key = keyOf(branch)
    const known = open.get(key)
    if (known) return known
    const made = { ...branch, memoryBytes: null, cpuSum: 0, cpuCount: 0, traffic: noTraffic }
    if (open.size < maxBranches) open.set(key, made)
    return made
  }

  function changeTotals(branch: Branch, change: (total: BranchTotals) => BranchTotals): void {
    const key = keyOf(branch)
    const before = totals.get(key) ?? {
      ...branch,
      traffic: noTraffic,
      memoryBytes: null,
      cpu: null,
    }
    // Insert again: the order of the keys is the order of use.
    totals.delete(key)
    totals.set(key, change(before))
    const [oldest] = totals.keys()
    if (totals.size > maxBranches && oldest !== undefined) totals.delete(oldest)
  }

  /** Archives the open slot if it has ended. Changes all state before it waits: calls may overlap. */
  async function archiveBefore(at: number): Promise<void> {
    const begin = at - (at % slotMs)
    if (begin === slotAt) return
    const ended = takeOpen()
    slotAt = begin
    await archive.append(ended)
  }

  function takeOpen(): BranchSlot[] {
    const slots = [...open.values()].map((each) => {
      const { projectId, branch } = each
      return { projectId, branch, ...closed(each, slotAt) }
    })
    open.clear()
    return slots
  }

  return {
    flush: () => archive.append(takeOpen()),

    async addTraffic(at, traffic) {
      await archiveBefore(at)
      for (const [id, counts] of traffic) {
        const branch = await branchOf(id)
        if (!branch) continue
        const slot = openSlot(branch)
        slot.traffic = addTraffic(slot.traffic, counts)
        changeTotals(branch, (total) => ({ ...total, traffic: addTraffic(total.traffic, counts) }))
      }
    },

    async addSamples(at, samples) {
      await archiveBefore(at)
      for (const [key, total] of totals) totals.set(key, { ...total, memoryBytes: null, cpu: null })
      for (const [id, { memoryBytes, cpu }] of samples) {
        const branch = await branchOf(id)
        if (!branch) continue
        const slot = openSlot(branch)
        slot.memoryBytes = Math.max(slot.memoryBytes ?? 0, memoryBytes)
        if (cpu !== null) slot.cpuSum += cpu
        if (cpu !== null) slot.cpuCount += 1
        changeTotals(branch, (total) => ({ ...total, memoryBytes, cpu }))
      }
    },

    async slots(projectId, branch, since) {
      const kept = await archive.read(projectId, branch, since)
      const present = open.get(keyOf({ projectId, branch }))
      return merged(present ? [...kept, closed(present, slotAt)] : kept)
    },

    totals: () => [...totals.values()],
  }
}

function keyOf({ projectId, branch }: Branch): string {
  return `${projectId} ${branch}`
}

function closed({ memoryBytes, cpuSum, cpuCount, traffic }: Open, at: number): UsageSlot {
  return { at, memoryBytes, cpu: cpuCount === 0 ? null : cpuSum / cpuCount, traffic }
}

/** Merges the parts of a slot in which the daemon was restarted. */
function merged(slots: readonly UsageSlot[]): UsageSlot[] {
  const byTime = new Map<number, UsageSlot>()
  for (const slot of slots) {
    const before = byTime.get(slot.at)
    byTime.set(
      slot.at,
      before === undefined
        ? slot
        : {
            at: slot.at,
            memoryBytes: largest(before.memoryBytes, slot.memoryBytes),
            cpu: largest(before.cpu, slot.cpu),
            traffic: addTraffic(before.traffic, slot.traffic),
          },
    )
  }
  return [...byTime.values()].sort((a, b) => a.at - b.at)
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

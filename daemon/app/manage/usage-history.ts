import type { AppUsage } from '../../ports.ts'
import type { UsageSample } from '../ground/use-cases.ts'

/** The samples of all apps, for a limited time. */
export interface UsageHistory {
  /** Adds one sample for each environment, and drops samples that are too old. */
  add(at: number, usages: ReadonlyMap<number, AppUsage>): void
  /** Returns the samples of an environment, oldest first. */
  of(environmentId: number): UsageSample[]
  /** Returns the newest sample of each environment that ran at the last measurement. */
  newest(): ReadonlyMap<number, UsageSample>
}

/** Count of numbers for one sample in the flat list of an environment: time, memory, processors. */
const width = 3

/** Creates a history of the last `keepMs`. Flat lists of numbers keep 480 samples of 1,000 apps in 12 MB. */
export function createUsageHistory(keepMs: number): UsageHistory {
  const lists = new Map<number, number[]>()
  let last: { at: number; usages: ReadonlyMap<number, AppUsage> } | undefined

  /** The counter of an app begins at zero again when the app is started again. */
  function cpuOf(environmentId: number, at: number, cpuMs: number): number {
    const before = last?.usages.get(environmentId)
    if (!last || !before || at <= last.at || cpuMs < before.cpuMs) return Number.NaN
    return (cpuMs - before.cpuMs) / (at - last.at)
  }

  function dropBefore(time: number): void {
    for (const [id, list] of lists) {
      let count = 0
      while (count < list.length && (list[count] ?? 0) < time) count += width
      if (count > 0) list.splice(0, count)
      if (list.length === 0) lists.delete(id)
    }
  }

  return {
    add(at, usages) {
      for (const [id, { memoryBytes, cpuMs }] of usages) {
        const list = lists.get(id) ?? []
        list.push(at, memoryBytes, cpuOf(id, at, cpuMs))
        lists.set(id, list)
      }
      last = { at, usages }
      dropBefore(at - keepMs)
    },
    of(environmentId) {
      const list = lists.get(environmentId) ?? []
      return Array.from({ length: list.length / width }, (_, index) =>
        sampleAt(list, index * width),
      )
    },
    newest: () =>
      new Map(
        [...(last?.usages.keys() ?? [])].flatMap((id): [number, UsageSample][] => {
          const list = lists.get(id)
          return list ? [[id, sampleAt(list, list.length - width)]] : []
        }),
      ),
  }
}

function sampleAt(list: readonly number[], start: number): UsageSample {
  const [at = 0, memoryBytes = 0, cpu = Number.NaN] = list.slice(start, start + width)
  return { at, memoryBytes, cpu: Number.isNaN(cpu) ? null : cpu }
}

import type { UsageHistory } from '../../../../client/contract.ts'

/** A line of a plot: times in seconds since 1970, and a value for each. NULL interrupts the line. */
export interface Series {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  /** Values of a second line in the same plot. */
  readonly second?: readonly (number | null)[]
  /** Upper end of the scale: the limit, or the highest value if there is no limit. */
  readonly top: number
  /** Null: there is none. Absent: unknown. */
  readonly limit?: number | null
  /** The least time that the plot spans, in seconds; default 15 minutes. */
  readonly leastSpan?: number
}

/** Missing samples of this many intervals mean that the app did not run. */
const gapIntervals = 3

/** Returns the lines of memory, in bytes, and of busy processors. A time in which the app slept is a gap. */
export function seriesOf(history: UsageHistory): { readonly memory: Series; readonly cpu: Series } {
  const { samples, interval_seconds: interval, memory_limit_bytes, cpus_limit } = history
  const times: number[] = []
  const memory: (number | null)[] = []
  const cpu: (number | null)[] = []
  for (const sample of samples) {
    const at = Date.parse(sample.at) / 1000
    const before = times.at(-1)
    if (before !== undefined && at - before > gapIntervals * interval) {
      times.push(before + interval)
      memory.push(null)
      cpu.push(null)
    }
    times.push(at)
    memory.push(sample.memory_bytes)
    cpu.push(sample.cpu)
  }
  return {
    memory: { times, values: memory, top: memory_limit_bytes, limit: memory_limit_bytes },
    cpu: { times, values: cpu, top: cpus_limit ?? Math.max(1, highest(cpu)), limit: cpus_limit },
  }
}

export function highest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}

/** Returns the places of values between two gaps: no line leads to them. */
export function isolatedIn(values: ArrayLike<number | null | undefined>): number[] {
  const isGap = (at: number) => (values[at] ?? null) === null
  return Array.from(values, (_, at) => at).filter(
    (at) => !isGap(at) && isGap(at - 1) && isGap(at + 1),
  )
}

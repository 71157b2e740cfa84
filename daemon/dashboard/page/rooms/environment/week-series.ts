import type { UsageWeek } from '../../../../client/contract.ts'
import { highest, type Series } from './usage-series.ts'

type Slot = UsageWeek['slots'][number]
type Line = (number | null)[]

/** The lines of the last seven days. `requests` has the errors as its second line, `latency` the 95th percentile. */
export interface WeekSeries {
  readonly requests: Series
  readonly latency: Series
  readonly memory: Series
  readonly cpu: Series
  readonly totals: { readonly requests: number; readonly errors: number }
}

/** The plots span a day at least. */
const leastSpan = 86_400

/**
 * Returns the lines of a week. A slot without requests and without a running app is absent from the answer: its requests are
 * 0, and its other lines have a gap.
 */
export function weekSeriesOf({ slots, slot_seconds: slotSeconds }: UsageWeek): WeekSeries {
  const times: number[] = []
  const rows: (Slot | undefined)[] = []
  const push = (at: number, slot: Slot | undefined) => {
    times.push(at)
    rows.push(slot)
  }
  for (const slot of slots) {
    const at = Date.parse(slot.at) / 1000
    const before = times.at(-1)
    if (before !== undefined && at - before > slotSeconds) {
      push(before + slotSeconds, undefined)
      if (at - before > 2 * slotSeconds) push(at - slotSeconds, undefined)
    }
    push(at, slot)
  }
  const line = (read: (slot: Slot) => number | null, absent: number | null): Line =>
    rows.map((slot) => (slot === undefined ? absent : read(slot)))
  const requests = line((slot) => slot.requests, 0)
  const errors = line((slot) => slot.errors, 0)
  const p95 = line((slot) => slot.p95_ms, null)
  const memory = line((slot) => slot.memory_bytes, null)
  const cpu = line((slot) => slot.cpu, null)
  const shared = { times, leastSpan }
  return {
    requests: { ...shared, values: requests, second: errors, top: evenTop(highest(requests)) },
    latency: {
      ...shared,
      values: line((slot) => slot.p50_ms, null),
      second: p95,
      top: evenTop(highest(p95)),
    },
    memory: { ...shared, values: memory, top: Math.max(1, highest(memory) * 1.1) },
    cpu: { ...shared, values: cpu, top: Math.max(1, highest(cpu)) },
    totals: { requests: sum(requests), errors: sum(errors) },
  }
}

/** Returns an even number of at most two digits and zeros that is not below the value: 98 for 97, 1,400 for 1,234. */
export function evenTop(value: number): number {
  const step = Math.max(2, 2 * 10 ** (Math.floor(Math.log10(Math.max(1, value))) - 1))
  return Math.max(1, Math.ceil(value / step)) * step
}

function sum(values: Line): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

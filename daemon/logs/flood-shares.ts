import type { LogKey } from '../domain/process-names.ts'

/** Counts the apps that write faster than their logs are read. These apps share the rates of `LogLimits`. */
export interface FloodShares {
  /** Call when an app has used up its budget. */
  note(key: LogKey): void
  /** Returns the smaller of the rate of one app, and its part of the rate of all flooding apps. */
  part(rate: number, allFloods: number): number
}

/** Time after which an app that has stopped flooding no longer takes a share. */
const floodMs = 5_000

export function createFloodShares(now: () => number): FloodShares {
  const notedAt = new Map<LogKey, number>()

  function count(): number {
    for (const [id, at] of notedAt) if (now() - at > floodMs) notedAt.delete(id)
    return Math.max(1, notedAt.size)
  }

  return {
    note: (key) => void notedAt.set(key, now()),
    part: (rate, allFloods) => Math.min(rate, allFloods / count()),
  }
}

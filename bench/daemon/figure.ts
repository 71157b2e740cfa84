/** What one scenario has measured. */
export interface Report {
  readonly figures: readonly Figure[]
  /** Ratios to named peers, where there are more than one. */
  readonly tables?: readonly RatioTable[]
  /** What was not measured, and why. */
  readonly absent?: readonly string[]
}

/** One number, true of this machine in this run only. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'req/s' | 'MB'
  readonly target?: Target
  /** The value as a multiple of a base's, measured in the same run. */
  readonly ratio?: { readonly times: number; readonly to: string }
  /** Of how much the value was taken, or how far it went. */
  readonly of?: string
}

export type Target = { readonly atMost: number } | { readonly atLeast: number }

export interface RatioTable {
  readonly title: string
  /** Names of the columns, the first one's included. */
  readonly head: readonly string[]
  readonly rows: readonly { readonly what: string; readonly values: readonly number[] }[]
}

/** Undefined for what has no target. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}

/** The value below which a share `q` of all values lies; the largest for 0.99 of 100 or fewer. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

/** The results of one scenario. */
export interface Report {
  readonly figures: readonly Figure[]
  /** Comparisons with several peers. */
  readonly tables?: readonly RatioTable[]
  /** Measurements that were skipped, with the reasons. */
  readonly absent?: readonly string[]
}

/** One number, valid for this machine and this run only. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'req/s' | 'MB'
  readonly target?: Target
  /** The value as a multiple of a base value from the same run. */
  readonly ratio?: { readonly times: number; readonly to: string }
  /** Sample size, range or other details. */
  readonly of?: string
}

export type Target = { readonly atMost: number } | { readonly atLeast: number }

export interface RatioTable {
  readonly title: string
  /** Headings of all columns. */
  readonly head: readonly string[]
  readonly rows: readonly { readonly what: string; readonly values: readonly number[] }[]
}

/** Tells whether a figure meets its target; undefined without a target. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}

/** Returns the `q` quantile; for 0.99 of at most 100 values, this is the largest value. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

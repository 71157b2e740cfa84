/** Returns the median, or NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  if (!Number.isInteger(middle)) return high
  return ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}

/**
 * Returns the median of the ratios per round. Both lists hold one value per round, in the same order, so that a temporary
 * slowdown of the machine affects both sides of a ratio.
 */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}

/** Returns the smallest and the largest ratio per round, which show the spread around the median. */
export function ratioRange(values: readonly number[], base: readonly number[]): [number, number] {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN))
  return [Math.min(...ratios), Math.max(...ratios)]
}

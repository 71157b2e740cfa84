/** The middle value; of an even number of values the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  if (!Number.isInteger(middle)) return high
  return ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}

/**
 * The median of round-by-round ratios. Both lists hold one value a round, in the same order:
 * what slows the machine for a while slows both sides of a round alike.
 */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}

/** The smallest and the largest of the round-by-round ratios: how far the median can be trusted. */
export function ratioRange(values: readonly number[], base: readonly number[]): [number, number] {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN))
  return [Math.min(...ratios), Math.max(...ratios)]
}

/** Maximum attempts of a deploy with transient faults, including the first. */
export const deployAttempts = 5

const deployDelaysMs = [2_000, 10_000, 30_000, 60_000]

/** Returns the delay after a failed attempt (numbered from 1); undefined after the last attempt. */
export function deployDelayMs(attempt: number): number | undefined {
  return attempt < deployAttempts ? deployDelaysMs[attempt - 1] : undefined
}

/** Minimum length of a run that resets the crash count. */
export const stableRunMs = 60_000

/**
 * Returns the delay before a restart after `crashes` consecutive crashes (from 1): 1 s, doubled each time, at most 1
 * min.
 */
export function restartDelayMs(crashes: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(crashes - 1, 10))
}

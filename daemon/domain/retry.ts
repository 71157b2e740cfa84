/** A deploy that met a transient fault is tried this often in all. */
export const deployAttempts = 5

const deployDelaysMs = [2_000, 10_000, 30_000, 60_000]

/** How long a deploy waits after its n-th attempt (from 1) failed; undefined: that was the last. */
export function deployDelayMs(attempt: number): number | undefined {
  return attempt < deployAttempts ? deployDelaysMs[attempt - 1] : undefined
}

/** A run of this length forgets the crashes before it. */
export const stableRunMs = 60_000

/** How long an app that crashed for the n-th time in a row (from 1) waits: 1 s, twice that each time, at most 1 min. */
export function restartDelayMs(crashes: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(crashes - 1, 10))
}

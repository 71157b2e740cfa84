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

const minuteMs = 60_000
const deliveryDelaysMs = [
  10_000,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  60 * minuteMs,
  180 * minuteMs,
  360 * minuteMs,
]

/** Maximum attempts to deliver a status or a notification: about ten hours. */
export const deliveryAttempts = deliveryDelaysMs.length + 1

/**
 * Returns the delay after a failed delivery (numbered from 1), or the longer time that the receiver demands, of which one hour counts;
 * undefined after the last attempt.
 */
export function deliveryDelayMs(attempt: number, demandedMs = 0): number | undefined {
  const delay = deliveryDelaysMs[attempt - 1]
  return delay === undefined ? undefined : Math.max(delay, Math.min(demandedMs, 60 * minuteMs))
}

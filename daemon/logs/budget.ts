/** Fixed cost of a line in bytes: splitting and encoding a short line takes as long as for this many bytes. */
const bytesPerLine = 128
/** Seconds' worth that a bucket holds, and that it can owe. */
const burstSeconds = 2
const maxDebtSeconds = 5

export interface Budget {
  spend(bytes: number, lines?: number): void
  /** Returns the milliseconds until the balance is positive, or 0 if it is positive now. */
  waitMs(): number
}

/** Creates a token bucket: `bytesPerSecond` on average, with bursts of two seconds' worth. The rate may change. */
export function createBudget(bytesPerSecond: () => number, now: () => number): Budget {
  let balance = burstSeconds * bytesPerSecond()
  let refilledAt = now()

  return {
    spend(bytes, lines = 0) {
      refill()
      balance -= bytes + lines * bytesPerLine
    },
    waitMs() {
      refill()
      return balance > 0 ? 0 : Math.ceil((-balance / bytesPerSecond()) * 1000) + 50
    },
  }

  function refill(): void {
    const rate = bytesPerSecond()
    const passedMs = Math.max(0, now() - refilledAt)
    refilledAt = now()
    const refilled = balance + (passedMs / 1000) * rate
    balance = Math.max(-maxDebtSeconds * rate, Math.min(burstSeconds * rate, refilled))
  }
}

/** Fixed cost of a line in bytes: splitting and encoding a short line takes as long as for this many bytes. */
const bytesPerLine = 128

export interface Budget {
  spend(bytes: number, lines: number): void
  /** Returns the milliseconds until the balance is positive, or 0 if it is positive now. */
  waitMs(): number
}

/** Creates a token bucket: `bytesPerSecond` on average, with bursts of two seconds' worth. */
export function createBudget(bytesPerSecond: number, now: () => number): Budget {
  const maxBytes = 2 * bytesPerSecond
  let balance = maxBytes
  let refilledAt = now()

  return {
    spend(bytes, lines) {
      refill()
      balance -= bytes + lines * bytesPerLine
    },
    waitMs() {
      refill()
      return balance > 0 ? 0 : Math.ceil((-balance / bytesPerSecond) * 1000) + 50
    },
  }

  function refill(): void {
    const passedMs = Math.max(0, now() - refilledAt)
    refilledAt = now()
    balance = Math.min(maxBytes, balance + (passedMs / 1000) * bytesPerSecond)
  }
}

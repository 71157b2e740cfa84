/** Fixed cost of a line: splitting and encoding a short line costs as much as this many bytes. */
const bytesPerLine = 128

export interface Budget {
  spend(bytes: number, lines: number): void
  /** Returns the milliseconds until the balance is positive, 0 if it is. */
  waitMs(): number
}

/** Token bucket: `bytesPerSecond` on average, with bursts of two seconds' worth. */
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

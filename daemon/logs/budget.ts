/** A short line costs as much work as so many bytes. */
const bytesPerLine = 128

export interface Budget {
  spend(bytes: number, lines: number): void
  /** Milliseconds until something may be spent again; 0 when it may now. */
  waitMs(): number
}

/** Lets through `bytesPerSecond` on the average, and at once what two seconds have. */
export function createBudget(bytesPerSecond: number, now: () => number): Budget {
  const most = 2 * bytesPerSecond
  let left = most
  let at = now()

  return {
    spend(bytes, lines) {
      refill()
      left -= bytes + lines * bytesPerLine
    },
    waitMs() {
      refill()
      return left > 0 ? 0 : Math.ceil((-left / bytesPerSecond) * 1000) + 50
    },
  }

  function refill(): void {
    const passedMs = Math.max(0, now() - at)
    at = now()
    left = Math.min(most, left + (passedMs / 1000) * bytesPerSecond)
  }
}

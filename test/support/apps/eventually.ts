import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls until the result is true or the time is up, and returns the last result.
 * For effects of another process. The duration is not asserted.
 */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 20,
): Promise<boolean> {
  const deadline = Date.now() + withinMs
  let isLate = false
  for (;;) {
    if (await isSo()) return true
    if (isLate) return false
    // One more poll, because this process may not have been scheduled meanwhile.
    isLate = Date.now() > deadline
    await pause(everyMs)
  }
}

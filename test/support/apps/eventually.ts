import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again and again until the answer is true or the time is up, and returns the last answer.
 * For what another process does in its own time; nothing is asserted about how long it took.
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
    // One look more: what came while this process had no turn.
    isLate = Date.now() > deadline
    await pause(everyMs)
  }
}

import { visit } from './call.ts'
import type { Daemon } from './daemon.ts'

/**
 * Asks for a page again and again until it is stopped, and says what did not come back whole: four callers at a time, or
 * `perSecond` requests however long their answers take.
 */
export function load(
  daemon: Daemon,
  host: string,
  { path = '/load', perSecond }: { path?: string; perSecond?: number } = {},
) {
  const failures: string[] = []
  let served = 0
  let isOver = false

  async function ask(): Promise<void> {
    try {
      const { status, text } = await visit(daemon, host, path)
      served += 1
      if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(String(error))
    }
  }

  async function askOneByOne(): Promise<void> {
    while (!isOver) await ask()
  }

  /** What a late timer has missed is asked for at once. */
  async function askAt(rate: number): Promise<void> {
    const asked: Promise<void>[] = []
    const began = performance.now()
    while (!isOver) {
      const due = ((performance.now() - began) / 1000) * rate
      while (asked.length < due) asked.push(ask())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(asked)
  }

  const running = perSecond ? [askAt(perSecond)] : Array.from({ length: 4 }, askOneByOne)
  return {
    async stop(): Promise<{ failures: readonly string[]; served: number }> {
      isOver = true
      await Promise.all(running)
      return { failures, served }
    },
  }
}

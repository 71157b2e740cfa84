import { visit } from './call.ts'
import type { Daemon } from './daemon.ts'

/** Asks for a page again and again, four at a time, until it is stopped; says what did not come back whole. */
export function load(daemon: Daemon, host: string) {
  const failures: string[] = []
  let served = 0
  let isOver = false
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      try {
        const { status, text } = await visit(daemon, host, '/load')
        served += 1
        if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
      } catch (error) {
        failures.push(String(error))
      }
    }
  })
  return {
    async stop(): Promise<{ failures: readonly string[]; served: number }> {
      isOver = true
      await Promise.all(callers)
      return { failures, served }
    },
  }
}

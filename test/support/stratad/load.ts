import { visit } from './call.ts'
import type { Daemon } from './daemon.ts'

/**
 * Sends GET requests until stopped: four concurrent callers, or `perSecond` requests per second regardless of their
 * response times. `stop` returns all failures and the number of responses.
 */
export function startLoad(
  daemon: Daemon,
  host: string,
  { path = '/load', perSecond }: { path?: string; perSecond?: number } = {},
) {
  const failures: string[] = []
  let served = 0
  let isStopped = false

  async function sendRequest(): Promise<void> {
    try {
      const { status, text } = await visit(daemon, host, path)
      served += 1
      if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(String(error))
    }
  }

  async function sendOneByOne(): Promise<void> {
    while (!isStopped) await sendRequest()
  }

  /** Catches up at once after a late timer. */
  async function sendAtRate(rate: number): Promise<void> {
    const requests: Promise<void>[] = []
    const began = performance.now()
    while (!isStopped) {
      const due = ((performance.now() - began) / 1000) * rate
      while (requests.length < due) requests.push(sendRequest())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(requests)
  }

  const running = perSecond ? [sendAtRate(perSecond)] : Array.from({ length: 4 }, sendOneByOne)
  return {
    async stop(): Promise<{ failures: readonly string[]; served: number }> {
      isStopped = true
      await Promise.all(running)
      return { failures, served }
    },
  }
}

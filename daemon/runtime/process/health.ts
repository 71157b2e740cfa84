import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import type { Family } from './members.ts'
import { describeListening, findPortOwner } from './port-owner.ts'
import { type ProbeResult, probe } from './probe.ts'

const firstWaitMs = 5
const lastWaitMs = 50
const growth = 1.15
/** An app may compile at its first request; one that hangs is asked again. */
const answerMs = 10_000
const nothing = 'nothing listens there'

/**
 * Asks until the app itself answers: with 200 to 399 on a path that it names, with anything on `/` when it names none.
 * Throws `unprocessable` with what was seen last when the time is over; the signal's reason when it is aborted.
 */
export async function awaitAnswer(
  { port, family }: { port: number; family: Family },
  health: { path: string | null; timeoutMs: number },
  { clock, signal, report }: { clock: Clock; signal: AbortSignal; report: (note: string) => void },
): Promise<void> {
  const path = health.path ?? '/'
  const deadline = clock.now() + health.timeoutMs
  let seen = nothing
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * growth, lastWaitMs)) {
    const leftMs = deadline - clock.now()
    if (leftMs <= 0) break
    const result = await probe(port, path, { timeoutMs: Math.min(leftMs, answerMs), signal })
    signal.throwIfAborted()
    if (isHealthy(result, health.path)) {
      const owner = await findPortOwner(port, family)
      if (owner === 'unknown') report(`it can't be told whose port ${port} is: the host hides it`)
      if (owner !== 'other') return
      seen = 'another program answers there'
    } else if (clock.now() < deadline || seen === nothing) {
      // What the end of the time cut off says less than what was seen before.
      seen = describe(result, path)
    }
    await clock.wait(Math.max(1, Math.min(waitMs, deadline - clock.now())), signal)
  }
  const where = await describeListening(port, family)
  throw new DaemonError(
    'unprocessable',
    `the app did not become healthy on port ${port} within ${health.timeoutMs / 1000} s: ${seen}${where}`,
  )
}

function isHealthy(result: ProbeResult, path: string | null): boolean {
  if (result.kind !== 'answered') return false
  return path === null || (result.status >= 200 && result.status <= 399)
}

function describe(result: ProbeResult, path: string): string {
  if (result.kind === 'answered') return `GET ${path} answered ${result.status}`
  return result.kind === 'refused' ? nothing : result.reason
}

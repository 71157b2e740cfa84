import { ownHost } from '../../domain/endpoints.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { type ProbeResult, probe } from '../probe.ts'
import type { AppIdentity, AppProcesses } from './app-processes.ts'
import { describeListening, findPortOwner } from './port-owner.ts'

const firstWaitMs = 5
const maxWaitMs = 50
const growth = 1.15
/**
 * Timeout of one probe, long enough for an app that compiles at its first request. After the timeout the probe is
 * repeated.
 */
const probeTimeoutMs = 10_000
const notListening = 'nothing listens there'

/**
 * Polls until the app itself answers its health path with status 200 to 399. A null path accepts any status on `/`.
 * Throws `unprocessable` with the last result after the timeout. Throws the signal's reason if the signal is aborted.
 */
export async function awaitAnswer(
  { port, identity }: { port: number; identity: AppIdentity },
  health: { path: string | null; timeoutMs: number },
  deps: {
    clock: Clock
    signal: AbortSignal
    processes: AppProcesses
    report: (note: string) => void
  },
): Promise<void> {
  const { clock, signal, processes, report } = deps
  const path = health.path ?? '/'
  const deadline = clock.now() + health.timeoutMs
  let lastResult = notListening
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * growth, maxWaitMs)) {
    const leftMs = deadline - clock.now()
    if (leftMs <= 0) break
    const result = await probe({ host: ownHost, port }, path, {
      timeoutMs: Math.min(leftMs, probeTimeoutMs),
      signal,
    })
    signal.throwIfAborted()
    if (isHealthy(result, health.path)) {
      const owner = await findPortOwner(port, identity, processes)
      if (owner === 'unknown') report(`the owner of port ${port} is unknown: the host hides it`)
      if (owner !== 'other') return
      lastResult = 'another program answers there'
    } else if (clock.now() < deadline || lastResult === notListening) {
      // Keep the previous result: a probe cut off by the deadline is less informative.
      lastResult = describe(result, path)
    }
    await clock.wait(Math.max(1, Math.min(waitMs, deadline - clock.now())), signal)
  }
  const where = await describeListening(port, identity, processes)
  throw new DaemonError(
    'unprocessable',
    `the app did not become healthy on port ${port} within ${health.timeoutMs / 1000} s: ${lastResult}${where}`,
  )
}

function isHealthy(result: ProbeResult, path: string | null): boolean {
  if (result.kind !== 'answered') return false
  return path === null || (result.status >= 200 && result.status <= 399)
}

function describe(result: ProbeResult, path: string): string {
  if (result.kind === 'answered') return `GET ${path} answered ${result.status}`
  return result.kind === 'refused' ? notListening : result.reason
}

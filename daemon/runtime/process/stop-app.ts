import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { sendSignal } from './app-processes.ts'
import type { AppRegistry, RunningApp } from './app-registry.ts'
import type { ExitWatch } from './exit-watch.ts'
import { isAlive } from './proc.ts'

const pollMs = 20
/** Maximum time for a killed process to end. */
const exitTimeoutMs = 15_000

/**
 * Stops an app: sends SIGTERM to its group, then SIGKILL to all its processes after `graceMs`. Resolves when no process
 * is left. Throws `internal` if a process survives.
 */
export async function stopApp(
  name: string,
  graceMs: number,
  deps: { apps: AppRegistry; clock: Clock; watch: ExitWatch },
): Promise<void> {
  const app = deps.apps.find(name)
  if (!app) return
  app.stopDeadline = deps.clock.now() + graceMs
  if (isAlive(app.identity)) {
    sendSignal(-app.identity.pid, 'SIGTERM')
    // A held app handles the signal only when it continues.
    sendSignal(-app.identity.pid, 'SIGCONT')
  }
  if (await waitUntilEnded(app, graceMs, deps)) return
  if (isAlive(app.identity)) sendSignal(-app.identity.pid, 'SIGKILL')
  if (await waitUntilEnded(app, exitTimeoutMs, deps)) return
  throw new DaemonError('internal', `${name} survives SIGKILL`)
}

/**
 * Resolves after at most `ms`, with true if the app has ended. Polls too, because an adopted app is not a child
 * process.
 */
async function waitUntilEnded(
  app: RunningApp,
  ms: number,
  { clock, watch }: { clock: Clock; watch: ExitWatch },
): Promise<boolean> {
  const deadline = clock.now() + ms
  const ended = new AbortController()
  const end = () => ended.abort()
  app.ended.then(end, end)
  while (clock.now() < deadline && !ended.signal.aborted) {
    watch.check()
    await clock.wait(Math.min(pollMs, deadline - clock.now()), ended.signal).catch(() => {})
  }
  if (ended.signal.aborted) await app.ended
  return ended.signal.aborted
}

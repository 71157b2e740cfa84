import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import type { ExitWatch } from './exit-watch.ts'
import { send } from './members.ts'
import { isAlive } from './proc.ts'
import type { RunningApp, RunningApps } from './running-apps.ts'

const lookMs = 20
/** How long the system may take to end what was killed. */
const killMs = 15_000

/**
 * Asks an app to end (SIGTERM to its group), and ends it after `graceMs`: all of its processes. Resolves when none is left;
 * throws `internal` when one can't be ended.
 */
export async function stopApp(
  name: string,
  graceMs: number,
  deps: { apps: RunningApps; clock: Clock; watch: ExitWatch },
): Promise<void> {
  const app = deps.apps.find(name)
  if (!app) return
  app.stopBy = deps.clock.now() + graceMs
  if (isAlive(app.family)) send(-app.family.pid, 'SIGTERM')
  if (await goneWithin(app, graceMs, deps)) return
  if (isAlive(app.family)) send(-app.family.pid, 'SIGKILL')
  if (await goneWithin(app, killMs, deps)) return
  throw new DaemonError('internal', `${name} does not end, not even when killed`)
}

/** Looks now and then as well: of a process that is no child of ours nobody tells that it has ended. */
async function goneWithin(
  app: RunningApp,
  ms: number,
  { clock, watch }: { clock: Clock; watch: ExitWatch },
): Promise<boolean> {
  const deadline = clock.now() + ms
  const over = new AbortController()
  const end = () => over.abort()
  app.gone.then(end, end)
  while (clock.now() < deadline && !over.signal.aborted) {
    watch.check()
    await clock.wait(Math.min(lookMs, deadline - clock.now()), over.signal).catch(() => {})
  }
  if (over.signal.aborted) await app.gone
  return over.signal.aborted
}

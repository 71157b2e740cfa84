import { DaemonError } from '../../errors.ts'
import type { Clock, Instance, InstanceExit } from '../../ports.ts'
import { awaitAnswer } from './health.ts'
import type { RunningApps } from './running-apps.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

/** The end of an app that says nothing in its last lines is enough. */
const lastLines = 40
const mostCharacters = 300

/**
 * Resolves when the app answers; ends at once when it exits. Throws `unprocessable` with what was seen, and the signal's
 * reason when it is aborted.
 */
export async function awaitHealthy(
  instance: Instance,
  health: { path: string | null; timeoutMs: number },
  signal: AbortSignal,
  deps: {
    apps: RunningApps
    clock: Clock
    logs?: RuntimeLogs
    report: (note: string) => void
  },
): Promise<void> {
  signal.throwIfAborted()
  const app = deps.apps.find(instance.name)
  if (app?.instance.pid !== instance.pid) throw hasEnded('the app has ended before it answered')
  const over = new AbortController()
  const asking = AbortSignal.any([signal, over.signal])
  const ended = app.gone.then(
    (exit) => describeExit(exit, deps.logs),
    () => 'the app has ended before it answered',
  )
  const answered = awaitAnswer({ port: instance.port, family: app.family }, health, {
    clock: deps.clock,
    report: deps.report,
    signal: asking,
  })
  // The one that loses the race is nobody's concern.
  answered.catch(() => {})
  try {
    const why = await Promise.race([answered, ended])
    if (typeof why === 'string') throw hasEnded(why)
  } finally {
    over.abort()
  }
}

async function describeExit(
  { code, signal, environmentId }: InstanceExit,
  logs: RuntimeLogs | undefined,
): Promise<string> {
  const how = signal
    ? `was ended by ${signal}`
    : code === null
      ? 'ended'
      : `exited with code ${code}`
  const lines = (await logs?.tail(environmentId, lastLines).catch(() => [])) ?? []
  const errors = lines.filter(({ stream, line }) => stream === 'stderr' && line.trim() !== '')
  const named = errors.findLast(({ line }) => /^\S*(error|exception|panic|fatal)\b/i.test(line))
  const words = (named ?? errors.at(-1))?.line.trim().slice(0, mostCharacters)
  return `the app ${how} before it answered${words ? `: ${words}` : ''}`
}

function hasEnded(why: string): DaemonError {
  return new DaemonError('unprocessable', why)
}

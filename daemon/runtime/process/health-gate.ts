import { DaemonError } from '../../errors.ts'
import type { Clock, Instance } from '../../ports.ts'
import { describeEarlyExit } from '../exit-reason.ts'
import type { AppProcesses } from './app-processes.ts'
import type { AppRegistry } from './app-registry.ts'
import { awaitAnswer } from './health.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

/**
 * Resolves when the app is healthy. Throws `unprocessable` after the timeout with the last result, or at once if the
 * app exits. Throws the signal's reason if the signal is aborted.
 */
export async function awaitHealthy(
  { name, startedAt }: Pick<Instance, 'name' | 'startedAt'>,
  health: { path: string | null; timeoutMs: number },
  signal: AbortSignal,
  deps: {
    apps: AppRegistry
    clock: Clock
    processes: AppProcesses
    logs?: RuntimeLogs
    report: (note: string) => void
  },
): Promise<void> {
  signal.throwIfAborted()
  const app = deps.apps.find(name)
  if (app?.instance.startedAt !== startedAt) throw appEnded('the app has ended before it answered')
  const done = new AbortController()
  const ended = app.ended.then(
    (exit) => describeEarlyExit(exit, deps.logs),
    () => 'the app has ended before it answered',
  )
  const answered = awaitAnswer({ port: app.instance.port, identity: app.identity }, health, {
    clock: deps.clock,
    report: deps.report,
    processes: deps.processes,
    signal: AbortSignal.any([signal, done.signal]),
  })
  // Prevents an unhandled rejection if `ended` wins the race.
  answered.catch(() => {})
  try {
    const why = await Promise.race([answered, ended])
    if (typeof why === 'string') throw appEnded(why)
  } finally {
    done.abort()
  }
}

function appEnded(why: string): DaemonError {
  return new DaemonError('unprocessable', why)
}

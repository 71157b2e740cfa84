import { DaemonError } from '../../errors.ts'
import type { Clock, Instance, InstanceExit } from '../../ports.ts'
import type { AppProcesses } from './app-processes.ts'
import type { AppRegistry } from './app-registry.ts'
import { awaitAnswer } from './health.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

/** Number of log lines searched for the cause of a crash. */
const lastLines = 40

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
    (exit) => describeExit(exit, deps.logs),
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

async function describeExit(
  { code, signal, environmentId, misuse, outOfMemoryMb }: InstanceExit,
  logs: RuntimeLogs | undefined,
): Promise<string> {
  if (misuse !== undefined) return misuse
  if (outOfMemoryMb !== undefined) {
    return `the app ran out of memory before it answered: limit ${outOfMemoryMb} MB; raise deploy.memory_mb in strata.json`
  }
  const how = signal
    ? `was ended by ${signal}`
    : code === null
      ? 'ended'
      : `exited with code ${code}`
  const lines = (await logs?.tail(environmentId, lastLines).catch(() => [])) ?? []
  const errors = lines.filter(({ stream, line }) => stream === 'stderr' && line.trim() !== '')
  const errorLine = errors.findLast(({ line }) => /^\S*(error|exception|panic|fatal)\b/i.test(line))
  const excerpt = (errorLine ?? errors.at(-1))?.line.trim()
  // Not cut: the caller masks secrets first, and a cut secret would not be found.
  return `the app ${how} before it answered${excerpt ? `: ${excerpt}` : ''}`
}

function appEnded(why: string): DaemonError {
  return new DaemonError('unprocessable', why)
}

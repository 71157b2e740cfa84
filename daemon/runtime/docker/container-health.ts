import { readFileSync } from 'node:fs'
import { DaemonError } from '../../errors.ts'
import type { Clock, InstanceExit, LogLine } from '../../ports.ts'
import { describeEarlyExit } from '../exit-reason.ts'
import { type ProbeResult, probe } from '../probe.ts'
import type { RunningContainer } from './containers.ts'

const firstWaitMs = 5
const maxWaitMs = 50
const growth = 1.15
const probeTimeoutMs = 10_000
const notListening = 'nothing listens there'

/**
 * Resolves when the container answers its health path. Throws `unprocessable` after the timeout with the last result, or
 * at once if the container ends. Throws the signal's reason if the signal is aborted.
 */
export async function awaitContainer(
  container: RunningContainer,
  health: { path: string | null; timeoutMs: number },
  signal: AbortSignal,
  deps: {
    clock: Clock
    logs: { tail(environmentId: number, lines: number): Promise<LogLine[]> }
    isLocal: boolean
  },
): Promise<void> {
  signal.throwIfAborted()
  const done = new AbortController()
  const answered = awaitAnswer(container, health, AbortSignal.any([signal, done.signal]), deps)
  // Prevents an unhandled rejection if `ended` wins the race.
  answered.catch(() => {})
  try {
    const exit = await Promise.race([answered, container.ended])
    if (exit) throw await earlyExit(exit, deps.logs)
  } finally {
    done.abort()
  }
}

async function earlyExit(
  exit: InstanceExit,
  logs: Parameters<typeof describeEarlyExit>[1],
): Promise<DaemonError> {
  return new DaemonError('unprocessable', await describeEarlyExit(exit, logs))
}

async function awaitAnswer(
  { instance, pid }: RunningContainer,
  health: { path: string | null; timeoutMs: number },
  signal: AbortSignal,
  { clock, isLocal }: { clock: Clock; isLocal: boolean },
): Promise<undefined> {
  const [endpoint] = instance.endpoints
  const path = health.path ?? '/'
  const deadline = clock.now() + health.timeoutMs
  let lastResult = notListening
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * growth, maxWaitMs)) {
    const leftMs = deadline - clock.now()
    if (leftMs <= 0) break
    const timeoutMs = Math.min(leftMs, probeTimeoutMs)
    const result = await probe(endpoint, path, { timeoutMs, signal })
    signal.throwIfAborted()
    if (isHealthy(result, health.path)) return undefined
    if (clock.now() < deadline || lastResult === notListening) lastResult = describe(result, path)
    await clock.wait(Math.max(1, Math.min(waitMs, deadline - clock.now())), signal)
  }
  const hint = lastResult === notListening && isLocal ? describeListening(pid) : ''
  throw new DaemonError(
    'unprocessable',
    `the app did not become healthy within ${health.timeoutMs / 1000} s: ${lastResult}${hint}`,
  )
}

function isHealthy(result: ProbeResult, path: string | null): boolean {
  if (result.kind !== 'answered') return false
  return path === null || (result.status >= 200 && result.status <= 399)
}

/** The engine's proxy accepts a connection before the app listens, and then resets it. */
function describe(result: ProbeResult, path: string): string {
  if (result.kind === 'answered') return `GET ${path} answered ${result.status}`
  if (result.kind === 'refused' || /ECONNRESET|EPIPE|socket hang up/.test(result.reason)) {
    return notListening
  }
  return result.reason
}

/** Returns the end of a message: the place where the container listens instead; '' if unknown. */
function describeListening(pid: number): string {
  const tables = ['tcp', 'tcp6'] as const
  const listeners = tables.flatMap((table) => listenersIn(pid, table))
  if (listeners.length === 0)
    return '; the app listens on no port: make it listen on the port in PORT'
  const open = listeners.find(({ isOpen }) => isOpen)
  if (open?.isIpv6) {
    return `; the app listens on port ${open.port}, perhaps on IPv6 alone: make it listen on 0.0.0.0 and the port in PORT, or set deploy.port`
  }
  if (open)
    return `; the app listens on port ${open.port}: make it listen on the port in PORT, or set deploy.port`
  const [closed] = listeners
  return closed
    ? `; the app listens on an address inside its container (port ${closed.port}): make it listen on 0.0.0.0`
    : ''
}

/** Reads the listening sockets in the network of a process of this host. An IPv6 wildcard takes IPv4, too. */
function listenersIn(
  pid: number,
  table: 'tcp' | 'tcp6',
): { port: number; isOpen: boolean; isIpv6: boolean }[] {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    const [, address = '', hexPort = '', state] =
      /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ ([0-9A-F]{2})/.exec(line) ?? []
    // The engine's own name server listens on 127.0.0.11.
    if (state !== '0A' || address === '0B00007F') return []
    return [
      {
        port: Number.parseInt(hexPort, 16),
        isOpen: /^0+$/.test(address),
        isIpv6: table === 'tcp6',
      },
    ]
  })
}

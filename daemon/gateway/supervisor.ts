import { createDeferred } from '../async/deferred.ts'
import { withDeadline } from '../async/with-deadline.ts'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { type FindOrStartDeps, findOrStart } from './find-or-start.ts'
import type { Link } from './link.ts'
import type { FromGateway } from './protocol.ts'

/** Keeps a gateway running: finds or starts one, and restarts a dead one. */
export interface GatewaySupervisor {
  /** Throws `unavailable` if the gateway does not start. */
  start(): Promise<void>
  isStarted(): boolean
  /** Returns the link to the current gateway. During a restart, waits up to `ms` for the link. */
  awaitLink(ms: number): Promise<Link | undefined>
  /** Returns the links to the current gateway and to retiring ones that are still alive. */
  links(): readonly Link[]
  /** Closes the links. The gateways continue to run. */
  close(): void
  /** Retires all gateways. Resolves when they have ended, or after `ms`. */
  retire(ms: number): Promise<void>
}

export interface GatewaySupervisorDeps extends FindOrStartDeps {
  readonly clock: Clock
  /** Sends the routes to a new gateway. Resolves with false if the connection was lost. */
  readonly sync: (link: Link) => Promise<boolean>
  readonly onMessage: (link: Link, message: FromGateway) => void
}

const syncTimeoutMs = 10_000
const pingIntervalMs = 5_000
const pingTimeoutMs = 15_000
const maxBackoffMs = 5_000
/** Minimum lifetime of a gateway: after a shorter life it is restarted with back-off. */
const stableAfterMs = 10_000

export function createGatewaySupervisor(deps: GatewaySupervisorDeps): GatewaySupervisor {
  const { clock, log, sync, onMessage } = deps
  const closing = new AbortController()
  const { signal } = closing
  const links = new Set<Link>()
  const waiting = new Set<(link: Link) => void>()
  let current: Link | null = null
  let isStarted = false
  let isEnding = false
  let connectedAt = 0
  let failures = 0

  function attach(link: Link): void {
    links.add(link)
    link.onClose(() => links.delete(link))
    link.onMessage((message) => {
      // The gateway was told to end and no longer listens.
      if (message.type === 'retired') handleLoss(link)
      else onMessage(link, message)
    })
    link.send({ type: 'serve' })
  }

  async function connect(): Promise<void> {
    const link = await findOrStart(deps, attach)
    const synced = await withDeadline(sync(link), { clock, ms: syncTimeoutMs, signal })
    if (signal.aborted) link.close()
    if (synced !== true || signal.aborted) {
      throw new DaemonError('unavailable', 'the gateway did not confirm its routes')
    }
    current = link
    connectedAt = clock.now()
    attach(link)
    link.onClose(() => handleLoss(link))
    for (const resolve of waiting) resolve(link)
    void pingUntilLost(link)
  }

  function handleLoss(link: Link): void {
    if (current !== link) return
    current = null
    failures = clock.now() - connectedAt < stableAfterMs ? failures + 1 : 1
    if (!isEnding && !signal.aborted) void reconnect(link.pid)
  }

  async function reconnect(pid: number): Promise<void> {
    log.warn({ pid }, 'the gateway has ended: restarting it')
    while (!signal.aborted) {
      try {
        if (failures > 1) await backOff()
        await connect()
        return
      } catch (error) {
        failures += 1
        const reason = error instanceof Error ? error.message : String(error)
        if (!signal.aborted) log.warn({ reason }, 'the restart of the gateway failed: retrying')
      }
    }
  }

  /** Waits before the next start attempt: not before the first, then 0.1 s, 0.2 s, 0.4 s… */
  function backOff(): Promise<void> {
    return clock.wait(Math.min(maxBackoffMs, 50 * 2 ** (failures - 1)), signal)
  }

  /** Kills a gateway that does not answer pings; `handleLoss` then restarts it. */
  async function pingUntilLost(link: Link): Promise<void> {
    while (link === current && !signal.aborted) {
      await clock.wait(pingIntervalMs, signal).catch(() => {})
      if (link !== current || signal.aborted) return
      const answer = link.request((id) => ({ type: 'ping', id }))
      const isHung = (await withDeadline(answer, { clock, ms: pingTimeoutMs, signal })) === 'late'
      if (!isHung || link !== current || signal.aborted) continue
      log.warn({ pid: link.pid }, 'the gateway does not answer pings: killing it')
      kill(link.pid)
    }
  }

  return {
    async start() {
      isStarted = true
      await connect()
    },
    isStarted: () => isStarted,
    async awaitLink(ms) {
      if (current !== null) return current
      const nextLink = createDeferred<Link>()
      waiting.add(nextLink.resolve)
      const link = await withDeadline(nextLink.promise, { clock, ms, signal })
      waiting.delete(nextLink.resolve)
      return link === 'late' ? undefined : link
    },
    links: () => [...links],
    close,
    async retire(ms) {
      isEnding = true
      for (const link of links) link.send({ type: 'retire' })
      const ends = [...links].map((link) => new Promise<void>((end) => link.onClose(end)))
      await withDeadline(Promise.all(ends), { clock, ms, signal })
      close()
    },
  }

  function close(): void {
    closing.abort(new Error('the daemon ends'))
    for (const link of links) link.close()
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

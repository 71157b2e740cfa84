import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { connectLink, type Link } from './link.ts'
import type { FromGateway } from './protocol.ts'
import { startProcess } from './start-process.ts'
import { within } from './within.ts'

/** Sees to it that a gateway serves: finds one or starts it, again when it dies. */
export interface GatewaySupervisor {
  /** Throws `unavailable` when no gateway can be had. */
  start(): Promise<void>
  isStarted(): boolean
  /** The gateway that serves, waiting `ms` for it where it is being started again. */
  awaitLink(ms: number): Promise<Link | undefined>
  /** The one that serves, and those before it that have not come to their end. */
  links(): readonly Link[]
  /** Lets go of them. */
  close(): void
  /** Tells them to end, and resolves when they have, or after `ms`. */
  retire(ms: number): Promise<void>
}

export interface SupervisorDeps {
  readonly argv: readonly string[]
  /** What a gateway must have been started with, or it is replaced. */
  readonly settings: string
  readonly folder: string
  readonly socketPath: string
  readonly clock: Clock
  readonly log: SupervisorLog
  /** Tells a gateway what it must know before it counts as one that serves. */
  readonly sync: (link: Link) => Promise<boolean>
  readonly onMessage: (link: Link, message: FromGateway) => void
}

export interface SupervisorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

const startTimeoutMs = 15_000
const helloTimeoutMs = 2_000
const syncTimeoutMs = 10_000
const pingIntervalMs = 5_000
const pingTimeoutMs = 15_000
const maxBackoffMs = 5_000
/** A gateway that lived for less is not started again at once. */
const stableAfterMs = 10_000

export function createGatewaySupervisor(deps: SupervisorDeps): GatewaySupervisor {
  const { argv, settings, folder, socketPath, clock, log, sync, onMessage } = deps
  const closing = new AbortController()
  const { signal } = closing
  const links = new Set<Link>()
  const waiting = new Set<(link: Link) => void>()
  let current: Link | null = null
  let isStarted = false
  let isEnding = false
  let connectedAt = 0
  let failures = 0

  async function findOrStart(): Promise<Link> {
    const found = await connectLink(socketPath, helloTimeoutMs)
    if (found?.settings === settings) return found
    if (found) {
      // It gives way to the new one by itself, and may hold requests until then.
      log.info({ pid: found.pid }, 'the gateway is of another version or of other settings')
      attach(found)
    }
    const logPath = join(folder, 'gateway.log')
    await startProcess({ argv, settings, folder, logPath, timeoutMs: startTimeoutMs })
    const started = await connectLink(socketPath, helloTimeoutMs)
    if (started?.settings === settings) return started
    started?.close()
    throw new DaemonError('unavailable', `the gateway does not answer: ${logPath} may say why`)
  }

  function attach(link: Link): void {
    links.add(link)
    link.onClose(() => links.delete(link))
    link.onMessage((message) => {
      // Somebody has told it to end, and it listens no more.
      if (message.type === 'retired') handleLoss(link)
      else onMessage(link, message)
    })
    link.send({ type: 'serve' })
  }

  async function connect(): Promise<void> {
    const link = await findOrStart()
    const synced = await within(sync(link), { clock, ms: syncTimeoutMs, signal })
    if (signal.aborted) link.close()
    if (synced !== true || signal.aborted) {
      throw new DaemonError('unavailable', 'the gateway did not take its routes')
    }
    current = link
    connectedAt = clock.now()
    attach(link)
    link.onClose(() => handleLoss(link))
    for (const tell of waiting) tell(link)
    void pingUntilLost(link)
  }

  function handleLoss(link: Link): void {
    if (current !== link) return
    current = null
    failures = clock.now() - connectedAt < stableAfterMs ? failures + 1 : 1
    if (!isEnding && !signal.aborted) void reconnect(link.pid)
  }

  async function reconnect(pid: number): Promise<void> {
    log.warn({ pid }, 'the gateway has gone: starting it again')
    while (!signal.aborted) {
      try {
        if (failures > 1) await backOff()
        await connect()
        return
      } catch (error) {
        failures += 1
        const reason = error instanceof Error ? error.message : String(error)
        if (!signal.aborted) log.warn({ reason }, 'the gateway is not there yet: trying again')
      }
    }
  }

  /** The first time at once, then after 0.1 s, 0.2 s, 0.4 s… */
  function backOff(): Promise<void> {
    return clock.wait(Math.min(maxBackoffMs, 50 * 2 ** (failures - 1)), signal)
  }

  /** A gateway that lives and does not answer any more is killed, and started again. */
  async function pingUntilLost(link: Link): Promise<void> {
    while (link === current && !signal.aborted) {
      await clock.wait(pingIntervalMs, signal).catch(() => {})
      if (link !== current || signal.aborted) return
      const answer = link.request((id) => ({ type: 'ping', id }))
      const isHung = (await within(answer, { clock, ms: pingTimeoutMs, signal })) === 'late'
      if (!isHung || link !== current || signal.aborted) continue
      log.warn({ pid: link.pid }, 'the gateway does not answer any more: it is killed')
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
      let tell: (link: Link) => void = () => {}
      const coming = new Promise<Link>((resolve) => {
        tell = resolve
      })
      waiting.add(tell)
      const link = await within(coming, { clock, ms, signal })
      waiting.delete(tell)
      return link === 'late' ? undefined : link
    },
    links: () => [...links],
    close,
    async retire(ms) {
      isEnding = true
      for (const link of links) link.send({ type: 'retire' })
      const ends = [...links].map((link) => new Promise<void>((end) => link.onClose(end)))
      await within(Promise.all(ends), { clock, ms, signal })
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
    // It has ended by itself.
  }
}

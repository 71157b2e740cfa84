import { readFileSync, statSync } from 'node:fs'
import { isInRange, type PortRange, rangeText } from '../../domain/port-range.ts'
import { sendSignal } from './app-processes.ts'
import { type Listener, readListeners, socketsOf } from './listeners.ts'

/** Ends apps and builds that listen on ports of the range that are not theirs: they would take them from others. */
export interface PortWatch {
  /** Searches the range, and `port` if given. Returns true if a process was ended. */
  check(port?: number): Promise<boolean>
  /** Searches regularly. Reports other programs in the range once. */
  start(): void
  close(): void
}

/** A running app, as the watch sees it. */
export interface WatchedApp {
  readonly port: number
  readonly pid: number
  /** Returns the app's live processes. */
  pids(): Promise<readonly number[]>
  /** Ends the app for good. */
  end(reason: string): Promise<void>
}

const intervalMs = 10_000

export function createPortWatch({
  range,
  reserved = [],
  apps,
  otherPids,
  isProjectUser,
  report,
}: {
  range: PortRange
  /** Ports of the daemon and the gateway, which are searched too. */
  reserved?: readonly number[]
  apps: () => readonly WatchedApp[]
  /** Returns processes of projects that belong to no app, such as builds. */
  otherPids: () => readonly number[]
  /** Returns true for the user of a project: other daemons of this host may share the range. */
  isProjectUser: (uid: number) => boolean
  report: (note: string) => void
}): PortWatch {
  /** Sockets that belong to no project. */
  const foreign = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<boolean> | undefined

  async function search(port: number | undefined): Promise<boolean> {
    const started = apps()
    const listeners = (readListeners() ?? []).filter(
      (each) => isInRange(each.port, range) || each.port === port || reserved.includes(each.port),
    )
    forgetClosed(foreign, listeners)
    const suspects = listeners.filter(
      (each) => !foreign.has(each.inode) && !started.some((app) => isOwn(each, app)),
    )
    if (suspects.length === 0) return false
    let hasEnded = false
    for (const app of started) {
      const own = socketsIn(await app.pids())
      const taken = suspects.find((each) => each.port !== app.port && own.has(each.inode))
      if (!taken) continue
      await app.end(reasonFor(taken.port))
      hasEnded = true
    }
    for (const pid of otherPids()) {
      const own = socketsIn([pid])
      if (!suspects.some(({ inode }) => own.has(inode))) continue
      sendSignal(pid, 'SIGKILL')
      hasEnded = true
    }
    const left = new Set((readListeners() ?? []).map(({ inode }) => inode))
    const others = suspects.filter(({ inode }) => left.has(inode))
    if (!hasEnded) for (const { inode } of others) foreign.add(inode)
    return hasEnded
  }

  function check(port?: number): Promise<boolean> {
    // Callers share a search, but each may ask for another port.
    const next = (running ?? Promise.resolve(false)).then(
      () => search(port),
      () => search(port),
    )
    running = next
    return next
  }

  async function warnOfOthers(): Promise<void> {
    await check()
    const ports = (readListeners() ?? [])
      .filter(({ inode, port }) => foreign.has(inode) && isInRange(port, range))
      .filter(({ uid }) => !isProjectUser(uid))
      .map((each) => `${each.port} (${programOf(each)})`)
    if (ports.length === 0) return
    report(
      `other programs listen in the range ${rangeText(range)} of apps, which is closed to other users: ${[...new Set(ports)].slice(0, 5).join(', ')}; move them, or set SERVICE_APP_PORTS`,
    )
  }

  const fail = (error: unknown) => report(`can't search the ports of apps: ${error}`)
  return {
    check,
    start() {
      void warnOfOthers().catch(fail)
      timer = setInterval(() => void check().catch(fail), intervalMs).unref()
    },
    close: () => clearInterval(timer),
  }
}

export function reasonFor(port: number): string {
  return `the app listens on port ${port}, which is not its own: an app may only use PORT`
}

/** Returns true if a socket on an app's port has the same user as the app. The health gate compares the sockets. */
function isOwn({ port, uid }: Listener, app: WatchedApp): boolean {
  return port === app.port && uid === uidOf(app.pid)
}

function uidOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
}

function socketsIn(pids: readonly number[]): ReadonlySet<string> {
  return new Set(pids.flatMap((pid) => [...(socketsOf(pid) ?? [])]))
}

function forgetClosed(foreign: Set<string>, listeners: readonly Listener[]): void {
  const open = new Set(listeners.map(({ inode }) => inode))
  for (const inode of foreign) if (!open.has(inode)) foreign.delete(inode)
}

/** Returns the user of a listener for a message: names of programs are of the operator's interest only. */
function programOf({ uid }: Listener): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.split(':')[2] === String(uid))
    return `user ${line?.split(':')[0] ?? uid}`
  } catch {
    return `user ${uid}`
  }
}

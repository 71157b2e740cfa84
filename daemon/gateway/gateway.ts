import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withDeadline } from '../async/with-deadline.ts'
import type { Traffic } from '../domain/traffic.ts'
import type { Clock, Gateway, Logger, Route, ServedCertificate } from '../ports.ts'
import type { Link } from './link.ts'
import {
  type FromGateway,
  protocolVersion,
  type ToGateway,
  type TrafficCounts,
} from './protocol.ts'
import { defaultLimits, type GatewayLimits, type GatewaySettings, loopback } from './settings.ts'
import { socketPathOf } from './socket-path.ts'
import { createGatewaySupervisor } from './supervisor.ts'
import { createWakeRequests } from './wake-requests.ts'

/** The gateway, with methods that control its process. */
export interface SupervisedGateway extends Gateway {
  /** Finds or starts the gateway and keeps it running. Throws `unavailable` if the gateway can't listen. */
  start(): Promise<void>
  /** Disconnects from the gateway. The gateway keeps running. */
  close(): void
  /** Ends the gateway too. The gateway accepts no more requests and exits after its open requests. */
  retire(): Promise<void>
}

export interface GatewayDeps {
  /** The gateway's program, followed by its first arguments. */
  readonly argv: readonly string[]
  /** Public listen address. */
  readonly address: { readonly host: string; readonly port: number }
  /** Absolute path of the gateway's own folder; created if absent. */
  readonly folder: string
  /** Program version. A gateway of another version is replaced. */
  readonly version: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Addresses and ranges whose `X-Forwarded-*` headers are trusted. Default: loopback. */
  readonly trustedProxies?: readonly string[]
  /** Writes a line for each request into the folder. */
  readonly hasAccessLog?: boolean
  readonly limits?: Partial<GatewayLimits>
  /** The listener for TLS; absent: plain HTTP only. `keepsKeys`: the gateway keeps the private keys in its folder. */
  readonly tls?: {
    readonly address: { readonly host: string; readonly port: number }
    readonly hstsSeconds: number | null
    readonly keepsKeys: boolean
  }
}

/** Maximum time that a route update waits for a restarting gateway. */
const linkTimeoutMs = 5_000

const certificatesPerMessage = 100

/** Creates the daemon's side of the gateway. Connects to the gateway only at `start`. */
export function createGateway(deps: GatewayDeps): SupervisedGateway {
  const { clock, log } = deps
  const closing = new AbortController()
  const { signal } = closing
  mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
  // The folder may be older than this rule.
  chmodSync(deps.folder, 0o700)
  const socketPath = socketPathOf(deps.folder)
  const routes = new Map<string, Route>()
  /** True after the first `replace`: from then on a host without a route has no app. */
  let isComplete = false
  const certificates = new Map<string, ServedCertificate>()
  let hasAllCertificates = false
  const accessListeners: ((accesses: ReadonlyMap<number, number>) => void)[] = []
  const trafficListeners: ((traffic: ReadonlyMap<number, Traffic>) => void)[] = []
  const pendingAccesses = new Map<number, number>()
  const { argv, folder } = deps
  const settings = settingsOf(deps, socketPath)
  const wakeRequests = createWakeRequests(currentRoute, log)
  const supervisor = createGatewaySupervisor({
    ...{ argv, folder, socketPath, clock, log },
    settings: JSON.stringify(settings),
    sync,
    onMessage: handleMessage,
  })

  /** Sends all routes to a gateway. The gateway then forwards its held requests or requests a wake. */
  async function sync(link: Link): Promise<boolean> {
    if (!(await syncCertificates(link))) return false
    const all = [...routes.values()]
    if (isComplete) return link.request((id) => ({ type: 'replace', id, routes: all }))
    for (const route of all) void link.request((id) => ({ type: 'route', id, route }))
    return link.request((id) => ({ type: 'ping', id }))
  }

  /** Sends all certificates in parts, so that no message becomes too long. */
  async function syncCertificates(link: Link): Promise<boolean> {
    const all = [...certificates.values()]
    for (let start = 0; start < all.length; start += certificatesPerMessage) {
      const part = all.slice(start, start + certificatesPerMessage)
      if (!(await link.request((id) => ({ type: 'certificates', id, certificates: part })))) {
        return false
      }
    }
    if (!hasAllCertificates) return true
    const hostnames = [...certificates.keys()]
    return link.request((id) => ({ type: 'keep_certificates', id, hostnames }))
  }

  /** Resolves when the gateway has applied the update. A restarted gateway receives the update by `sync`. */
  async function updateGateway(make: (id: number) => ToGateway): Promise<void> {
    if (!supervisor.isStarted()) return
    const link = await supervisor.awaitLink(linkTimeoutMs)
    if (link && (await link.request(make))) return
    if (signal.aborted || (await supervisor.awaitLink(linkTimeoutMs))) return
    log.warn({}, 'the gateway is not running: it receives its routes after its restart')
  }

  function handleMessage(link: Link, message: FromGateway): void {
    if (message.type === 'wake') {
      void wakeRequests.wake(message.environmentId).then((answer) => link.send(answer))
    } else if (message.type === 'accesses') {
      for (const [id, time] of message.accesses) {
        if ((pendingAccesses.get(id) ?? 0) < time) pendingAccesses.set(id, time)
      }
      link.send({ type: 'accesses_taken', id: message.id })
      flushAccesses()
    } else if (message.type === 'traffic') {
      for (const listener of trafficListeners) listener(trafficOf(message.counts))
    }
  }

  function flushAccesses(): void {
    if (accessListeners.length === 0 || pendingAccesses.size === 0) return
    const accesses = new Map(pendingAccesses)
    pendingAccesses.clear()
    for (const listener of accessListeners) listener(accesses)
  }

  /**
   * Returns the newest route of a woken app's host. A route set during the wake is newer than `woken`; a removed host
   * has none.
   */
  function currentRoute(woken: Route): Route | undefined {
    const known = routes.get(woken.hostname)
    if (known === undefined && isComplete) return undefined
    const isNewer = known !== undefined && known.environmentId !== woken.environmentId
    const route = isNewer ? known : woken
    routes.set(route.hostname, route)
    return route
  }

  return {
    start: supervisor.start,
    close() {
      closing.abort(new Error('the daemon ends'))
      supervisor.close()
    },
    retire: () => supervisor.retire(settings.limits.retireMs + 5_000),
    route(route) {
      routes.set(route.hostname, route)
      return updateGateway((id) => ({ type: 'route', id, route }))
    },
    unroute(hostname) {
      routes.delete(hostname)
      return updateGateway((id) => ({ type: 'unroute', id, hostname }))
    },
    replace(all) {
      routes.clear()
      for (const route of all) routes.set(route.hostname, route)
      isComplete = true
      return updateGateway((id) => ({ type: 'replace', id, routes: all }))
    },
    async drained(endpoint, timeoutMs) {
      if (!supervisor.isStarted()) return
      const drains = supervisor
        .links()
        .map((link) => link.request((id) => ({ type: 'drained', id, ...endpoint, timeoutMs })))
      await withDeadline(Promise.all(drains), { clock, ms: timeoutMs, signal })
    },
    onAccess(listener) {
      accessListeners.push(listener)
      flushAccesses()
    },
    onTraffic(listener) {
      trafficListeners.push(listener)
    },
    onWake: wakeRequests.onWake,
    setChallenge: (challenge) => updateGateway((id) => ({ type: 'challenge', id, challenge })),
    removeChallenge: (hostname) => updateGateway((id) => ({ type: 'unchallenge', id, hostname })),
    setCertificate(certificate) {
      certificates.set(certificate.hostname, certificate)
      return updateGateway((id) => ({ type: 'certificates', id, certificates: [certificate] }))
    },
    removeCertificate(hostname) {
      certificates.delete(hostname)
      return updateGateway((id) => ({ type: 'remove_certificate', id, hostname }))
    },
    async replaceCertificates(all) {
      certificates.clear()
      for (const certificate of all) certificates.set(certificate.hostname, certificate)
      hasAllCertificates = true
      if (!supervisor.isStarted()) return
      const link = await supervisor.awaitLink(linkTimeoutMs)
      if (link) await syncCertificates(link)
    },
  }
}

function trafficOf(counts: readonly TrafficCounts[]): ReadonlyMap<number, Traffic> {
  return new Map(
    counts.map(([id, requests, errors, sumMs, buckets]) => [
      id,
      { requests, errors, sumMs, buckets },
    ]),
  )
}

function settingsOf(deps: GatewayDeps, socketPath: string): GatewaySettings {
  return {
    protocol: protocolVersion,
    version: deps.version,
    address: { host: deps.address.host, port: deps.address.port },
    socketPath,
    snapshotPath: join(deps.folder, 'routes.json'),
    trustedProxies: deps.trustedProxies ?? loopback,
    tls: deps.tls
      ? {
          address: { host: deps.tls.address.host, port: deps.tls.address.port },
          certificatesPath: deps.tls.keepsKeys ? join(deps.folder, 'certificates.json') : null,
          hstsSeconds: deps.tls.hstsSeconds,
        }
      : null,
    accessLogPath: deps.hasAccessLog ? join(deps.folder, 'access.log') : null,
    limits: { ...defaultLimits, ...deps.limits },
  }
}

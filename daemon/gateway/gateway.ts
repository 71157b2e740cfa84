import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, Gateway, Route } from '../ports.ts'
import type { Link } from './link.ts'
import { type FromGateway, protocolVersion, type ToGateway } from './protocol.ts'
import { defaultLimits, type GatewayLimits, type GatewaySettings, loopback } from './settings.ts'
import { socketPathOf } from './socket-path.ts'
import { createGatewaySupervisor, type SupervisorLog } from './supervisor.ts'
import { within } from './within.ts'

/** The gateway, and the life of its process. */
export interface SupervisedGateway extends Gateway {
  /** Finds the gateway or starts it, and sees to it from then on. Throws `unavailable` when it can't listen. */
  start(): Promise<void>
  /** Lets go of the gateway, which lives on. */
  close(): void
  /** Ends the gateway too: it takes no more requests, and ends when those it has are answered. */
  retire(): Promise<void>
}

export interface GatewayDeps {
  /** The gateway's program: what is executed, and its first arguments. */
  readonly argv: readonly string[]
  /** Where the world connects to. */
  readonly address: { readonly host: string; readonly port: number }
  /** Absolute path of a folder of the gateway's own; made if it is absent. */
  readonly folder: string
  /** Of the program: a gateway of another version is replaced. */
  readonly version: string
  readonly clock: Clock
  readonly log: SupervisorLog
  /** Addresses and ranges whose `X-Forwarded-*` are believed; by default those of this machine. */
  readonly trustedProxies?: readonly string[]
  readonly limits?: Partial<GatewayLimits>
}

/** How long a route waits for a gateway that is being started again. */
const linkTimeoutMs = 5_000

/** The daemon's end of the gateway. Nothing runs before `start`. */
export function createGateway(deps: GatewayDeps): SupervisedGateway {
  const { clock, log } = deps
  const closing = new AbortController()
  const { signal } = closing
  mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
  const socketPath = socketPathOf(deps.folder, tmpdir())
  const known = new Map<string, Route>()
  /** Whether `known` is all there is: `replace` was called. */
  let isComplete = false
  const pendingWakes = new Map<number, Promise<ToGateway>>()
  let wakeListener: ((environmentId: number) => Promise<Route>) | null = null
  let resolveWakeListener: () => void = () => {}
  const wakeListenerSet = new Promise<void>((resolve) => {
    resolveWakeListener = resolve
  })
  const accessListeners: ((accesses: ReadonlyMap<number, number>) => void)[] = []
  const pendingAccesses = new Map<number, number>()
  const { argv, folder } = deps
  const settings = settingsOf(deps, socketPath)
  const supervisor = createGatewaySupervisor({
    ...{ argv, folder, socketPath, clock, log },
    settings: JSON.stringify(settings),
    sync,
    onMessage: handleMessage,
  })

  /** Brings a gateway to what is known; what it holds then goes on or is asked for. */
  async function sync(link: Link): Promise<boolean> {
    const routes = [...known.values()]
    if (isComplete) return link.request((id) => ({ type: 'replace', id, routes }))
    for (const route of routes) void link.request((id) => ({ type: 'route', id, route }))
    return link.request((id) => ({ type: 'ping', id }))
  }

  /** Resolves when the gateway has done it; one that is started again meanwhile knows it from `sync`. */
  async function updateGateway(make: (id: number) => ToGateway): Promise<void> {
    if (!supervisor.isStarted()) return
    const link = await supervisor.awaitLink(linkTimeoutMs)
    if (link && (await link.request(make))) return
    if (signal.aborted || (await supervisor.awaitLink(linkTimeoutMs))) return
    log.warn({}, 'the gateway is not there: it will know its routes when it is')
  }

  function handleMessage(link: Link, message: FromGateway): void {
    if (message.type === 'wake') {
      void wakeOnce(message.environmentId).then((answer) => link.send(answer))
    } else if (message.type === 'accesses') {
      for (const [id, time] of message.accesses) {
        if ((pendingAccesses.get(id) ?? 0) < time) pendingAccesses.set(id, time)
      }
      link.send({ type: 'accesses_taken', id: message.id })
      flushAccesses()
    }
  }

  function flushAccesses(): void {
    if (accessListeners.length === 0 || pendingAccesses.size === 0) return
    const accesses = new Map(pendingAccesses)
    pendingAccesses.clear()
    for (const listener of accessListeners) listener(accesses)
  }

  /** One call of the listener for an environment at a time, however many gateways ask. */
  function wakeOnce(environmentId: number): Promise<ToGateway> {
    const known = pendingWakes.get(environmentId)
    if (known) return known
    const answer = callWakeListener(environmentId).finally(() => pendingWakes.delete(environmentId))
    pendingWakes.set(environmentId, answer)
    return answer
  }

  async function callWakeListener(environmentId: number): Promise<ToGateway> {
    await wakeListenerSet
    try {
      if (wakeListener === null) return { type: 'not_woken', environmentId }
      return resolveWokenRoute(environmentId, await wakeListener(environmentId))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ environmentId, reason }, 'a request waited for an app that could not be started')
      return { type: 'not_woken', environmentId }
    }
  }

  /** What was told while the app was woken is newer: it was destroyed, or another version has its place. */
  function resolveWokenRoute(environmentId: number, woken: Route): ToGateway {
    const told = known.get(woken.hostname)
    if (told === undefined && isComplete) return { type: 'not_woken', environmentId }
    const isNewer = told !== undefined && told.environmentId !== woken.environmentId
    const route = isNewer ? told : woken
    known.set(route.hostname, route)
    return { type: 'woken', environmentId, route }
  }

  return {
    start: supervisor.start,
    close() {
      closing.abort(new Error('the daemon ends'))
      supervisor.close()
    },
    retire: () => supervisor.retire(settings.limits.retireMs + 5_000),
    route(route) {
      known.set(route.hostname, route)
      return updateGateway((id) => ({ type: 'route', id, route }))
    },
    unroute(hostname) {
      known.delete(hostname)
      return updateGateway((id) => ({ type: 'unroute', id, hostname }))
    },
    replace(routes) {
      known.clear()
      for (const route of routes) known.set(route.hostname, route)
      isComplete = true
      return updateGateway((id) => ({ type: 'replace', id, routes }))
    },
    async drained(port, timeoutMs) {
      if (!supervisor.isStarted()) return
      const asked = supervisor
        .links()
        .map((link) => link.request((id) => ({ type: 'drained', id, port, timeoutMs })))
      await within(Promise.all(asked), { clock, ms: timeoutMs, signal })
    },
    onAccess(listener) {
      accessListeners.push(listener)
      flushAccesses()
    },
    onWake(listener) {
      wakeListener = listener
      resolveWakeListener()
    },
  }
}

function settingsOf(deps: GatewayDeps, socketPath: string): GatewaySettings {
  return {
    protocol: protocolVersion,
    version: deps.version,
    address: { host: deps.address.host, port: deps.address.port },
    socketPath,
    snapshotPath: join(deps.folder, 'routes.json'),
    trustedProxies: deps.trustedProxies ?? loopback,
    limits: { ...defaultLimits, ...deps.limits },
  }
}

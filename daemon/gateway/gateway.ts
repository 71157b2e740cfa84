import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, Gateway, Route } from '../ports.ts'
import type { Link } from './link.ts'
import { type FromGateway, protocolVersion, type ToGateway } from './protocol.ts'
import { defaultLimits, type GatewayLimits, type GatewaySettings, loopback } from './settings.ts'
import { socketPathOf } from './socket-path.ts'
import { createSupervisor, type SupervisorLog } from './supervisor.ts'
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
const patienceMs = 5_000

/** The daemon's end of the gateway. Nothing runs before `start`. */
export function createGateway(deps: GatewayDeps): SupervisedGateway {
  const { clock, log } = deps
  const over = new AbortController()
  const { signal } = over
  mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
  const socketPath = socketPathOf(deps.folder, tmpdir())
  const known = new Map<string, Route>()
  /** Whether `known` is all there is: `replace` was called. */
  let isWhole = false
  const waking = new Map<number, Promise<ToGateway>>()
  let wake: ((environmentId: number) => Promise<Route>) | null = null
  let heardWake: () => void = () => {}
  const wakeHeard = new Promise<void>((resolve) => {
    heardWake = resolve
  })
  const access: ((accesses: ReadonlyMap<number, number>) => void)[] = []
  const untold = new Map<number, number>()
  const { argv, folder } = deps
  const settings = settingsOf(deps, socketPath)
  const supervisor = createSupervisor({
    ...{ argv, folder, socketPath, clock, log },
    settings: JSON.stringify(settings),
    sync,
    hear,
  })

  /** Brings a gateway to what is known; what it holds then goes on or is asked for. */
  async function sync(link: Link): Promise<boolean> {
    const routes = [...known.values()]
    if (isWhole) return link.ask((id) => ({ type: 'replace', id, routes }))
    for (const route of routes) void link.ask((id) => ({ type: 'route', id, route }))
    return link.ask((id) => ({ type: 'ping', id }))
  }

  /** Resolves when the gateway has done it; one that is started again meanwhile knows it from `sync`. */
  async function tell(make: (id: number) => ToGateway): Promise<void> {
    if (!supervisor.isStarted()) return
    const link = await supervisor.linked(patienceMs)
    if (link && (await link.ask(make))) return
    if (signal.aborted || (await supervisor.linked(patienceMs))) return
    log.warn({}, 'the gateway is not there: it will know its routes when it is')
  }

  function hear(link: Link, message: FromGateway): void {
    if (message.type === 'wake') {
      void wakeOnce(message.environmentId).then((answer) => link.tell(answer))
    } else if (message.type === 'accesses') {
      for (const [id, time] of message.accesses) {
        if ((untold.get(id) ?? 0) < time) untold.set(id, time)
      }
      link.tell({ type: 'accesses_taken', id: message.id })
      tellAccesses()
    }
  }

  function tellAccesses(): void {
    if (access.length === 0 || untold.size === 0) return
    const accesses = new Map(untold)
    untold.clear()
    for (const listener of access) listener(accesses)
  }

  /** One call of the listener for an environment at a time, however many gateways ask. */
  function wakeOnce(environmentId: number): Promise<ToGateway> {
    const known = waking.get(environmentId)
    if (known) return known
    const answer = askForWake(environmentId).finally(() => waking.delete(environmentId))
    waking.set(environmentId, answer)
    return answer
  }

  async function askForWake(environmentId: number): Promise<ToGateway> {
    await wakeHeard
    try {
      if (wake === null) return { type: 'not_woken', environmentId }
      return answerFor(environmentId, await wake(environmentId))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ environmentId, reason }, 'a request waited for an app that could not be started')
      return { type: 'not_woken', environmentId }
    }
  }

  /** What was told while the app was woken is newer: it was destroyed, or another version has its place. */
  function answerFor(environmentId: number, woken: Route): ToGateway {
    const told = known.get(woken.hostname)
    if (told === undefined && isWhole) return { type: 'not_woken', environmentId }
    const isNewer = told !== undefined && told.environmentId !== woken.environmentId
    const route = isNewer ? told : woken
    known.set(route.hostname, route)
    return { type: 'woken', environmentId, route }
  }

  return {
    start: supervisor.start,
    close() {
      over.abort(new Error('the daemon ends'))
      supervisor.close()
    },
    retire: () => supervisor.retire(settings.limits.retireMs + 5_000),
    route(route) {
      known.set(route.hostname, route)
      return tell((id) => ({ type: 'route', id, route }))
    },
    unroute(hostname) {
      known.delete(hostname)
      return tell((id) => ({ type: 'unroute', id, hostname }))
    },
    replace(routes) {
      known.clear()
      for (const route of routes) known.set(route.hostname, route)
      isWhole = true
      return tell((id) => ({ type: 'replace', id, routes }))
    },
    async drained(port, timeoutMs) {
      if (!supervisor.isStarted()) return
      const asked = supervisor
        .links()
        .map((link) => link.ask((id) => ({ type: 'drained', id, port, timeoutMs })))
      await within(Promise.all(asked), { clock, ms: timeoutMs, signal })
    },
    onAccess(listener) {
      access.push(listener)
      tellAccesses()
    },
    onWake(listener) {
      wake = listener
      heardWake()
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

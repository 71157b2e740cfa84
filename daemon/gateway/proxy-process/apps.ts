import { Agent } from 'node:http'
import type { Socket } from 'node:net'

/** Connection pool and open request count of one app. */
export interface App {
  readonly host: string
  readonly port: number
  readonly agent: Agent
  open: number
  /** Called when the number of open requests drops to 0. */
  readonly waiting: Set<() => void>
}

export interface Apps {
  /** Counts an open request at an app. */
  enter(host: string, port: number): App
  leave(app: App): void
  /** Resolves when the app has no open requests, or after `timeoutMs`. */
  drained(place: Pick<App, 'host' | 'port'>, timeoutMs: number): Promise<void>
  /** Closes the idle connections to an app. */
  closeIdle(place: Pick<App, 'host' | 'port'>): void
}

export interface AppLimits {
  readonly openPerApp: number
  readonly appKeepAliveMs: number
}

export function createApps(limits: AppLimits): Apps {
  /** Apps by host, then by port: a text as a key would be built for each request. */
  const byHost = new Map<string, Map<number, App>>()

  function closeIdle({ host, port }: Pick<App, 'host' | 'port'>): void {
    const app = byHost.get(host)?.get(port)
    if (app === undefined) return
    for (const sockets of Object.values(app.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
    if (app.open === 0) byHost.get(host)?.delete(port)
  }

  return {
    enter(host, port) {
      let byPort = byHost.get(host)
      if (byPort === undefined) {
        byPort = new Map()
        byHost.set(host, byPort)
      }
      let app = byPort.get(port)
      if (app === undefined) {
        app = { host, port, agent: createAgent(limits), open: 0, waiting: new Set() }
        byPort.set(port, app)
      }
      app.open += 1
      return app
    },
    leave(app) {
      app.open -= 1
      if (app.open > 0) return
      for (const resolve of app.waiting) resolve()
    },
    drained({ host, port }, timeoutMs) {
      const app = byHost.get(host)?.get(port)
      if (app === undefined || app.open === 0) {
        closeIdle({ host, port })
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          app.waiting.delete(end)
          closeIdle({ host, port })
          resolve()
        }
        const timer = setTimeout(end, timeoutMs)
        app.waiting.add(end)
      })
    },
    closeIdle,
  }
}

const idleSince = new WeakMap<Socket, number>()

function createAgent(limits: AppLimits): Agent {
  // Node also closes an idle connection one second before the end of the app's own `Keep-Alive: timeout`.
  const agent = new Agent({
    keepAlive: true,
    timeout: limits.appKeepAliveMs,
    maxSockets: limits.openPerApp,
    maxFreeSockets: 64,
    scheduling: 'lifo',
  })
  agent.on('free', (socket: Socket) => idleSince.set(socket, Date.now()))
  return agent
}

/**
 * Closes connections that have been idle for a second: the app may close them at any moment, which would fail a request
 * that can't be retried.
 */
export function closeStaleConnections(agent: Agent): void {
  const oldest = Date.now() - 1_000
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) {
      if ((idleSince.get(socket) ?? 0) < oldest) socket.destroy()
    }
  }
}

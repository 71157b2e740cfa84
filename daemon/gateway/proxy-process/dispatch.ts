import type { ClientRequest } from 'node:http'
import type { Activity } from './activity.ts'
import type { App, Apps } from './apps.ts'
import type { Exchange } from './exchange.ts'
import { forward, isRepeatable } from './forward.ts'
import { createHolding, type Holding, type HoldingDeps } from './holding.ts'
import { type Refusal, refusals, refuse } from './refuse.ts'
import { tunnel } from './tunnel.ts'
import { createWatch } from './watch.ts'

export interface Dispatch {
  /** Takes a request from here to its end. */
  begin(exchange: Exchange): void
  readonly holding: Holding
}

export interface DispatchDeps {
  readonly apps: Apps
  readonly activity: Activity
  readonly limits: HoldingDeps['limits'] & {
    readonly openPerApp: number
    readonly bodyIdleMs: number
    readonly answerMs: number
    readonly stalledMs: number
    readonly lingerMs: number
  }
}

/** Says of each request what happens with it next: sent on, held, tried again, refused, or over. */
export function createDispatch({ apps, activity, limits }: DispatchDeps): Dispatch {
  const watch = createWatch(
    {
      body: limits.bodyIdleMs,
      answer: limits.answerMs,
      client: limits.stalledMs,
      rest: limits.lingerMs,
    },
    late,
  )
  const holding = createHolding({ limits, go: send, refuse: end })

  function begin(exchange: Exchange): void {
    activity.enter(exchange.entry)
    watch.add(exchange)
    // What was asked to change its protocol lasts as long as its connection.
    const whole = exchange.early === null ? exchange.response : exchange.request.socket
    whole.on('close', () => closed(exchange))
    send(exchange)
  }

  function send(exchange: Exchange): void {
    const { entry } = exchange
    if (exchange.isOver) return
    if (entry.isGone) end(exchange, refusals.unknownHost)
    else if (entry.port === null || entry.isDown) holding.hold(exchange)
    else sendTo(exchange, apps.enter(entry.port))
  }

  function sendTo(exchange: Exchange, app: App): void {
    exchange.app = app
    if (app.open > limits.openPerApp) {
      end(exchange, refusals.busy)
      return
    }
    try {
      if (exchange.early === null) forward(exchange, app, failed)
      else tunnel(exchange, app, failed)
    } catch (error) {
      // Node will not write what Node has read: a character in the path or in a header.
      if (!codeOf(error).startsWith('ERR_')) throw error
      end(exchange, refusals.badTarget)
    }
  }

  /** There is no answer: nothing was sent to the client, and perhaps nothing came to the app. */
  function failed(exchange: Exchange, upstream: ClientRequest, error: Error): void {
    const { entry, app } = exchange
    const code = codeOf(error)
    exchange.waitsFor = 'nothing'
    leave(exchange)
    // No connection came about: the app has seen nothing.
    if (code === 'ECONNREFUSED') {
      if (app?.port === entry.port && !entry.isDown) {
        entry.isDown = true
        entry.refusals += 1
      }
      send(exchange)
    } else if (isStale(exchange, upstream, code)) {
      exchange.isRetried = true
      // The others have been idle for longer.
      if (app) apps.letGo(app.port)
      send(exchange)
    } else end(exchange, refusalFor(code))
  }

  function late(exchange: Exchange): void {
    const { waitsFor, response, upstream, request } = exchange
    if (waitsFor === 'answer') end(exchange, refusals.lateAnswer)
    else if (waitsFor === 'body') {
      response.shouldKeepAlive = false
      end(exchange, refusals.slowBody)
    } else if (waitsFor === 'client') response.destroy()
    else {
      request.socket.destroy()
      upstream?.destroy()
    }
  }

  /** Answers in the gateway's own name. */
  function end(exchange: Exchange, refusal: Refusal): void {
    const { upstream } = exchange
    exchange.upstream = null
    exchange.waitsFor = 'nothing'
    upstream?.destroy()
    refuse(exchange, refusal)
  }

  function closed(exchange: Exchange): void {
    const { response, request, upstream } = exchange
    holding.letGo(exchange)
    if (!response.writableFinished) upstream?.destroy()
    else if (exchange.hasBody && !request.complete && !request.destroyed) {
      // The answer came before the end of the body, which is still to be taken: for a time.
      exchange.waitsFor = 'rest'
      exchange.since = Date.now()
      request.on('close', () => settle(exchange)).resume()
      return
    }
    settle(exchange)
  }

  function settle(exchange: Exchange): void {
    if (exchange.isOver) return
    exchange.isOver = true
    watch.remove(exchange)
    activity.leave(exchange.entry)
    leave(exchange)
  }

  function leave(exchange: Exchange): void {
    if (exchange.app) apps.leave(exchange.app)
    exchange.app = null
  }

  return { begin, holding }
}

/** The app closed an idle connection just when it was used again: nothing was done, or it may be done twice. */
function isStale(exchange: Exchange, upstream: ClientRequest, code: string): boolean {
  const isCut = code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED'
  return (
    isCut &&
    upstream.reusedSocket &&
    !exchange.isRetried &&
    !exchange.isConsumed &&
    isRepeatable(exchange.request.method)
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function refusalFor(code: string): Refusal {
  // This machine has no ports or files left; the app may be well.
  if (code === 'EADDRNOTAVAIL' || code === 'EMFILE' || code === 'ENFILE') return refusals.busy
  return code.startsWith('HPE_') ? refusals.badAnswer : refusals.noAnswer
}

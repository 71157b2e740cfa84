import type { ClientRequest } from 'node:http'
import type { AccessLog } from './access-log.ts'
import type { AccessReporter } from './access-reporter.ts'
import type { App, Apps } from './apps.ts'
import type { Exchange, RouteEntry } from './exchange.ts'
import { forward, isRepeatable } from './forward.ts'
import { createForwardTimeouts } from './forward-timeouts.ts'
import { createHolding, type Holding, type HoldingDeps } from './holding.ts'
import { createPipelineTracker } from './pipeline-tracker.ts'
import { type Refusal, refusals, refuse } from './refuse.ts'
import { UnusableReply } from './reply-head.ts'
import type { TrafficReporter } from './traffic-reporter.ts'
import { tunnel } from './tunnel.ts'

export interface Dispatch {
  /** Handles a request until its response is complete. */
  begin(exchange: Exchange): void
  readonly holding: Holding
}

export interface DispatchDeps {
  readonly apps: Apps
  readonly accessReporter: AccessReporter
  readonly trafficReporter: TrafficReporter
  /** Null: the setting is off. */
  readonly accessLog: AccessLog | null
  readonly limits: HoldingDeps['limits'] & {
    readonly openPerApp: number
    readonly bodyIdleMs: number
    readonly answerMs: number
    readonly stalledMs: number
    readonly lingerMs: number
  }
}

/** Decides the next step of each request: forward, hold, retry, refuse or finish. */
export function createDispatch({
  apps,
  accessReporter,
  trafficReporter,
  accessLog,
  limits,
}: DispatchDeps): Dispatch {
  const watch = createForwardTimeouts(
    {
      body: limits.bodyIdleMs,
      answer: limits.answerMs,
      client: limits.stalledMs,
      rest: limits.lingerMs,
    },
    handleTimeout,
  )
  const trackPipelined = createPipelineTracker(handleClose)
  const holding = createHolding({ limits, send, refuse: endWithRefusal })

  function begin(exchange: Exchange): void {
    accessReporter.enter(exchange.entry)
    watch.add(exchange)
    const { response, request } = exchange
    // An upgraded request lasts as long as its connection.
    const lifetime = exchange.earlyData === null ? response : request.socket
    lifetime.on('close', () => handleClose(exchange))
    if (response.socket === null) trackPipelined(exchange, request.socket)
    send(exchange)
  }

  function send(exchange: Exchange): void {
    const { entry } = exchange
    if (exchange.isFinished) return
    if (entry.isRemoved) endWithRefusal(exchange, refusals.unknownHost)
    else if (entry.port === null || entry.isDown) holding.hold(exchange)
    else sendTo(exchange, apps.enter(hostOf(entry), entry.port))
  }

  function sendTo(exchange: Exchange, app: App): void {
    exchange.app = app
    if (app.open > limits.openPerApp) {
      endWithRefusal(exchange, refusals.busy)
      return
    }
    try {
      if (exchange.earlyData === null) forward(exchange, app, handleFailure)
      else tunnel(exchange, app, handleFailure)
    } catch (error) {
      // Node's parser accepts some characters in paths and headers that its writer rejects.
      if (!codeOf(error).startsWith('ERR_')) throw error
      endWithRefusal(exchange, refusals.badTarget)
    }
  }

  /** Handles a failed upstream request. The client has received nothing; the app may have received the request. */
  function handleFailure(exchange: Exchange, upstream: ClientRequest, error: Error): void {
    const { entry, app } = exchange
    const code = codeOf(error)
    exchange.waitsFor = 'nothing'
    releaseApp(exchange)
    // The connection failed: the app has not received the request.
    if (code === 'ECONNREFUSED') {
      if (app?.port === entry.port && app.host === hostOf(entry) && !entry.isDown) {
        entry.isDown = true
        entry.refusals += 1
      }
      send(exchange)
    } else if (isStale(exchange, upstream, code)) {
      exchange.isRetried = true
      // The pool is LIFO: the other idle connections are older and therefore stale too.
      if (app) apps.closeIdle(app)
      send(exchange)
    } else if (error instanceof UnusableReply) {
      exchange.response.shouldKeepAlive = false
      endWithRefusal(exchange, refusals.badAnswer)
    } else endWithRefusal(exchange, refusalFor(code))
  }

  function handleClose(exchange: Exchange): void {
    const { response, request, upstream } = exchange
    holding.release(exchange)
    if (!response.writableFinished) upstream?.destroy()
    else if (exchange.hasBody && !request.complete && !request.destroyed) {
      // Reads the rest of the request body after the response has ended, for at most `lingerMs`.
      exchange.waitsFor = 'rest'
      exchange.waitsSince = Date.now()
      request.on('close', () => finish(exchange)).resume()
      return
    }
    finish(exchange)
  }

  function finish(exchange: Exchange): void {
    if (exchange.isFinished) return
    exchange.isFinished = true
    watch.remove(exchange)
    exchange.pipeline?.delete(exchange)
    accessReporter.leave(exchange.entry)
    trafficReporter.count(exchange)
    accessLog?.write(exchange)
    releaseApp(exchange)
  }

  function releaseApp(exchange: Exchange): void {
    if (exchange.app) apps.leave(exchange.app)
    exchange.app = null
  }

  return { begin, holding }
}

/** Returns the address of an app's node. */
function hostOf({ host }: RouteEntry): string {
  return host ?? '127.0.0.1'
}

function handleTimeout(exchange: Exchange): void {
  const { waitsFor, response, upstream, request } = exchange
  if (waitsFor === 'answer') endWithRefusal(exchange, refusals.lateAnswer)
  else if (waitsFor === 'body') {
    response.shouldKeepAlive = false
    endWithRefusal(exchange, refusals.slowBody)
  } else if (waitsFor === 'client') response.destroy()
  else {
    request.socket.destroy()
    upstream?.destroy()
  }
}

/** Ends a request with an error response of the gateway. */
function endWithRefusal(exchange: Exchange, refusal: Refusal): void {
  const { upstream } = exchange
  exchange.upstream = null
  exchange.waitsFor = 'nothing'
  upstream?.destroy()
  refuse(exchange, refusal)
}

/** Returns true if the app closed a reused idle connection and the request can be retried safely. */
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
  // The host has no free ports or file descriptors; the app may be healthy.
  if (code === 'EADDRNOTAVAIL' || code === 'EMFILE' || code === 'ENFILE') return refusals.busy
  return code.startsWith('HPE_') ? refusals.badAnswer : refusals.noAnswer
}

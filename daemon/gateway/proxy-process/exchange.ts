import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './apps.ts'

/** A request in the gateway, from the end of its headers to the end of its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly entry: RouteEntry
  /** Request target for the app, in origin form. */
  readonly path: string
  /** Headers for the app, as alternating names and values. */
  readonly headers: string[]
  /** Value of `Strict-Transport-Security` for the response; null: no such header. */
  readonly hsts: string | null
  readonly hasBody: boolean
  /** The client waits for a 100 response before it sends the body. */
  readonly expectsContinue: boolean
  /** Bytes received after the head of an upgrade request; null for other requests. */
  readonly earlyData: EarlyData | null
  /** Time of the first hold, 0 if never held. At the time `heldUntil` the request gets a 503. */
  heldSince: number
  heldUntil: number
  /** Project id under which the request counts while it is held. */
  heldProjectId: number
  /** The app whose open requests include this request. */
  app: App | null
  upstream: ClientRequest | null
  /** Unfinished pipelined exchanges of the connection. Null unless this exchange began behind another exchange. */
  pipeline: Set<Exchange> | null
  /** True if part of the body was sent to an app, so that the request can't be retried. */
  isConsumed: boolean
  isRetried: boolean
  isFinished: boolean
  /** State for the timeout watch: the awaited event, and the time when the wait began. */
  waitsFor: 'nothing' | 'body' | 'answer' | 'client' | 'rest'
  waitsSince: number
  /** Address of the peer. */
  readonly client: string
  /** Monotonic time of the request and of the head of its response; 0 before. */
  readonly startedAt: number
  answeredAt: number
}

/** The route of a host and the state of its app. Mutable, so that held requests see each change. */
export interface RouteEntry {
  readonly hostname: string
  environmentId: number
  projectId: number
  /** Address of the app's node; undefined for this host. */
  host: string | undefined
  port: number | null
  wakeBudgetMs: number
  /** True if the app refused connections at `port`: its requests are held as for a sleeping app. */
  isDown: boolean
  /** Number of consecutive refused connections. Each one increases the delay before the next wake request. */
  refusals: number
  /** True if the route was removed. */
  isRemoved: boolean
  /** Held requests in order of arrival. */
  readonly held: Set<Exchange>
  /** Time of the wake request that the daemon has not answered yet. */
  wakeAskedAt: number | null
  /** Fires at the earliest `heldUntil` of the held requests. */
  expiryTimer: NodeJS.Timeout | null
  expiresAt: number
  /** Number of open requests. */
  open: number
  accessedAt: number
}

/** Buffer for bytes received after an upgrade request, before the app accepts the protocol. */
export interface EarlyData {
  /** Stops the buffering and returns the received chunks. */
  take(): readonly Buffer[]
}

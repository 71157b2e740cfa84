import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './apps.ts'

/** A request in the gateway, from the end of its headers to the end of its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly entry: RouteEntry
  /** Request target for the app, in origin form. */
  readonly path: string
  /** Headers for the app: name, value, name, value… */
  readonly headers: string[]
  readonly hasBody: boolean
  /** The client waits for a 100 response before it sends the body. */
  readonly expectsContinue: boolean
  /** Null unless this is an upgrade request. */
  readonly earlyData: EarlyData | null
  /** Time of the first hold, 0 if never held. At `heldUntil` the request gets a 503. */
  heldSince: number
  heldUntil: number
  /** The project whose share of held requests contains this one, if it is held. */
  heldProjectId: number
  /** The app that counts this request as open. */
  app: App | null
  upstream: ClientRequest | null
  /** Unfinished exchanges of the connection that began behind another one. Null unless this exchange did. */
  pipeline: Set<Exchange> | null
  /** Part of the body was sent to an app, so that a retry is impossible. */
  isConsumed: boolean
  isRetried: boolean
  isFinished: boolean
  /** State for the timeout watch: the awaited event and the start of the wait. */
  waitsFor: 'nothing' | 'body' | 'answer' | 'client' | 'rest'
  waitsSince: number
}

/** The route of a host and the state of its app. Mutable: a held request sees each change. */
export interface RouteEntry {
  readonly hostname: string
  environmentId: number
  projectId: number
  port: number | null
  wakeBudgetMs: number
  /** The app refused connections at `port`: its requests are held as if it were asleep. */
  isDown: boolean
  /** Consecutive refused connections. They delay the next wake request. */
  refusals: number
  /** The route was removed. */
  isRemoved: boolean
  /** Held requests in order of arrival. */
  readonly held: Set<Exchange>
  /** Time of the wake request that has no answer yet. */
  wakeAskedAt: number | null
  /** Fires at the earliest `heldUntil` of the held requests. */
  expiryTimer: NodeJS.Timeout | null
  expiresAt: number
  /** Number of open requests. */
  open: number
  accessedAt: number
}

/** Bytes received after an upgrade request, before the app accepts the protocol. */
export interface EarlyData {
  /** Stops the buffering and returns the received chunks. */
  take(): readonly Buffer[]
}

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './apps.ts'
import type { RouteEntry } from './routes.ts'

/** A request on its way through the gateway, from when its headers were read until its answer has gone. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly entry: RouteEntry
  /** What the app is asked for: origin form. */
  readonly path: string
  /** Name, value, name, value…: as the app gets them. */
  readonly headers: string[]
  readonly hasBody: boolean
  /** Whether the client waits for a 100 before it sends its body. */
  readonly expectsContinue: boolean
  /** What comes after the head of a request to upgrade; `null` for any other request. */
  readonly earlyData: EarlyData | null
  /** When it was first held, 0 for never, and when it is told to come later. */
  heldSince: number
  heldUntil: number
  /** Where it is counted as open. */
  app: App | null
  upstream: ClientRequest | null
  /** Part of the body went to an app: it can't be sent to another. */
  isConsumed: boolean
  isRetried: boolean
  isFinished: boolean
  /** What it waits for, and since when: what the watch goes by. */
  waitsFor: 'nothing' | 'body' | 'answer' | 'client' | 'rest'
  waitsSince: number
}

/** Bytes of a protocol that the app has not agreed to yet. */
export interface EarlyData {
  /** Ends the listening, and returns what has come. */
  take(): readonly Buffer[]
}

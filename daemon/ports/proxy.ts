/** The port to the reverse proxies in front of the gateway, which poll `/proxy/config`. */

import type { Redacted } from './redacted.ts'

export interface ProxyWatch {
  /**
   * Waits until every polling proxy has read a configuration with all routes of this moment. Resolves with `none` at once
   * if no proxy is expected, and with `silent` at once if the proxies have stopped to poll.
   */
  acknowledged(signal: AbortSignal): Promise<ProxyAnswer>
  /** Returns the number of polling proxies, and the milliseconds since the last poll of any proxy. */
  read(): { readonly proxies: number; readonly silentMs: number | undefined }
}

export type ProxyAnswer =
  | { readonly kind: 'acknowledged' | 'none' }
  /** No proxy has read the routes within `waitMs`. */
  | { readonly kind: 'late'; readonly waitMs: number }
  /** The last poll was `silentMs` milliseconds ago. */
  | { readonly kind: 'silent'; readonly silentMs: number }

/** A proxy that the daemon starts itself. */
export interface ProxyProgram {
  /** Returns the state of the proxy; undefined if the daemon started none. Throws if the engine does not respond. */
  describe(): Promise<ProxyState | undefined>
  /**
   * Starts the proxy, or replaces one with other settings. No-op if it runs, or if another proxy polls. Returns what the
   * operator must do first, as an imperative clause, if it can't be started.
   */
  ensure(issueToken: () => Promise<Redacted | null>): Promise<string | undefined>
}

export interface ProxyState {
  readonly ok: boolean
  readonly detail: string
  /** Advice to the operator. */
  readonly next?: string
}

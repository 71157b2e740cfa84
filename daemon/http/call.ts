import type { Request, Response } from 'express'
import type { RouteRecord } from '../api/route.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '../api/routes.ts'
import type { Actor, UseCases } from '../app/ground/use-cases.ts'
import type { Clock, Redacted } from '../ports.ts'
import type { ProxyConfig } from '../proxy/proxy.ts'
import type { MasterToken } from './auth.ts'
import type { Logger } from './logger.ts'
import type { RequestCounts } from './metrics.ts'

/** A request that may be served: its credential, scope, role and shape were checked. */
export interface Call<R extends RouteRecord> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly actor: Actor
  /** The projects that lists are filtered to; `null`: all. */
  readonly visible: readonly number[] | null
  readonly req: Request
  readonly res: Response
}

/** What a handler returns that has answered by itself. */
export const answered = { kind: 'answered' } as const

export type Answer<R extends RouteRecord> = ReplyOf<R> | typeof answered

export type Handler<R extends RouteRecord> = (call: Call<R>) => Answer<R> | Promise<Answer<R>>

/** A handler as the server calls it, whichever its route is. */
export type AnyHandler = (call: Call<RouteRecord>) => AnyAnswer | Promise<AnyAnswer>

type AnyAnswer = { readonly status: number; readonly body?: unknown } | typeof answered

/** What handlers work with. */
export interface HandlerDeps {
  readonly useCases: UseCases
  readonly proxyConfig: ProxyConfig
  readonly settings: HandlerSettings
  readonly counts: RequestCounts
  readonly logger: Logger
  readonly clock: Clock
  /** Aborted when the server is told to close: what would last ends. */
  readonly closing: AbortSignal
}

export interface HandlerSettings {
  readonly version: string
  readonly token: MasterToken
  readonly allowRestore: boolean
  readonly restoreMaxBytes: number
  readonly webhookSecret: Redacted | null
  /** Where live environments are reached: `public_port`. */
  readonly gatewayPort: number
}

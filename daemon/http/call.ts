import type { Request, Response } from 'express'
import type { RouteRecord } from '../api/route.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteName, RouteOf } from '../api/route-table.ts'
import type { Actor, UseCases } from '../app/ground/use-cases.ts'
import type { PublicPort } from '../domain/public-port.ts'
import type { Clock, GitService, Logger, Redacted } from '../ports.ts'
import type { ProxyConfig } from '../traefik/config-response.ts'
import type { ProxyPolls } from '../traefik/proxy-polls.ts'
import type { MasterToken } from './auth.ts'
import type { RequestCounts } from './metrics.ts'
import type { Streams } from './streams.ts'

/** A request that passed the checks of token, scope, role, path, query and body. */
export interface Call<R extends RouteRecord> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly actor: Actor
  /** Ids of the projects to show in lists; `null`: all. */
  readonly visible: readonly number[] | null
  readonly req: Request
  readonly res: Response
}

/** The result of a handler that has sent the response itself. */
export const alreadySent = { kind: 'already-sent' } as const

type Result<R extends RouteRecord> = ReplyOf<R> | typeof alreadySent

export type Handler<R extends RouteRecord> = (call: Call<R>) => Result<R> | Promise<Result<R>>

/** One handler per route. TypeScript rejects a route without a handler. */
export type Handlers = { readonly [Name in RouteName]: Handler<RouteOf<Name>> }

/** A handler without the specific types of its route. */
export type AnyHandler = (call: Call<RouteRecord>) => AnyResult | Promise<AnyResult>

type AnyResult = { readonly status: number; readonly body?: unknown } | typeof alreadySent

export interface HandlerDeps {
  readonly useCases: UseCases
  readonly gitService: GitService
  readonly proxyConfig: ProxyConfig
  readonly proxyPolls: Pick<ProxyPolls, 'note'>
  readonly settings: HandlerSettings
  readonly counts: RequestCounts
  readonly logger: Logger
  readonly clock: Clock
  readonly streams: Streams
  /** Aborted when the server closes. Ends streams and waiting requests. */
  readonly closing: AbortSignal
}

export interface HandlerSettings {
  readonly version: string
  readonly token: MasterToken
  readonly allowRestore: boolean
  readonly restoreMaxBytes: number
  readonly webhookSecret: Redacted | null
  /** Sent as `public_port` of environments. */
  readonly publicPort: PublicPort
  readonly trashKeepMs: number
}

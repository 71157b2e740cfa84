import type { Request, RequestHandler } from 'express'
import type { RouteRecord } from '../api/route.ts'
import type { UseCases } from '../app/ground/use-cases.ts'
import { DaemonError } from '../errors.ts'
import type { Clock, Principal } from '../ports.ts'
import type { Identify, Identity } from './auth.ts'
import { hasBody, jsonLimitBytes, parseJson, readBody } from './body.ts'
import type { AnyHandler, Call } from './call.ts'
import type { FailureDelay } from './failure-delay.ts'
import { localsOf } from './locals.ts'
import { parse, queryTexts } from './parse.ts'
import { sendJson } from './response.ts'
import {
  checkRepositoryScope,
  checkRole,
  checkScope,
  notFound,
  visibleProjects,
} from './role-and-scope.ts'
import type { Throttle } from './throttle.ts'

export interface EndpointDeps {
  readonly identify: Identify
  readonly throttle: Throttle
  /** Delays the answers to wrong passwords of git clients. */
  readonly delayFailure: FailureDelay
  readonly useCases: Pick<UseCases, 'environments' | 'queue' | 'trash' | 'repositories'>
  readonly clock: Clock
}

/**
 * Serves a route of the route table. Checks in this order: token (401), rate limit (429), scope (404, 403), role (403),
 * path (404), query and body (400, 413). Then calls the handler.
 */
export function endpoint(
  route: RouteRecord,
  handler: AnyHandler,
  { identify, throttle, delayFailure, useCases, clock }: EndpointDeps,
): RequestHandler {
  return async (req, res) => {
    const locals = localsOf(res)
    locals.route = route
    const identity = await identify(req, route.access)
    if (!route.isFrequent) throttle(identity, req)
    if (identity.kind === 'unknown' && isGit(route) && req.headers.authorization !== undefined) {
      await delayFailure(req)
    }
    const principal = requirePrincipal(identity)
    locals.operator = operatorOf(principal)
    const params = route.params?.safeParse({ ...req.params })
    if (route.scope === 'repository') {
      await checkRepositoryScope(params?.data?.repository, principal, useCases.repositories)
    } else await checkScope(route.scope, idOf(params?.data), principal, useCases)
    checkRole(route.access, principal, (flag, value) => isSet(queryTexts(req.url)[flag], value))
    // Malformed ids answer 404.
    if (params?.success === false) throw notFound('object: the path has a malformed id or name')
    const query = parseQuery(route, req)
    const body = await parseBody(route, req, clock)
    const call: Call<RouteRecord> = {
      // The cast restores the types of the schemas, which RouteRecord has lost. `Handlers` checks them.
      params: params?.data as never,
      query: query as never,
      body: body as never,
      actor: { principal, operator: operatorOf(principal), requestId: locals.requestId },
      visible: visibleProjects(principal),
      req,
      res,
    }
    const reply = await handler(call)
    if (!('status' in reply)) return
    if ('body' in reply) sendJson(res, reply.status, reply.body)
    else res.status(reply.status).end()
  }
}

/** Returns true for a route that git clients use, with Basic credentials. */
export function isGit({ access }: Pick<RouteRecord, 'access'>): boolean {
  return access.kind === 'token' && access.isBasic === true
}

function requirePrincipal(identity: Identity): Principal {
  if (identity.kind === 'unknown') throw new DaemonError('unauthorized', identity.why)
  return identity
}

function operatorOf(principal: Principal): string {
  return principal.kind === 'token' ? principal.name : principal.kind
}

function idOf(params: unknown): number | undefined {
  const id = (params as { id?: unknown } | undefined)?.id
  return typeof id === 'number' ? id : undefined
}

function isSet(flag: string | undefined, value: string | undefined): boolean {
  return value !== undefined ? flag === value : flag === 'true' || flag === '1'
}

function parseQuery({ query, access }: RouteRecord, req: Request): unknown {
  if (query) return parse(query, queryTexts(req.url))
  // Ignore the query of open routes: proxies and git hosts may add one.
  if (access.kind === 'open' || access.kind === 'signature') return undefined
  const [unknown] = Object.keys(queryTexts(req.url))
  if (unknown === undefined) return undefined
  throw new DaemonError('bad-request', `unknown query parameter ${unknown.slice(0, 80)}`)
}

async function parseBody(route: RouteRecord, req: Request, clock: Clock): Promise<unknown> {
  if (route.raw || route.method === 'GET' || (!route.body && !hasBody(req))) return undefined
  requireJson(req)
  const bytes = await readBody(req, jsonLimitBytes, clock)
  if (route.body) return parse(route.body, bytes.length === 0 ? undefined : parseJson(bytes))
  const keys = bytes.length === 0 ? [] : Object.keys(Object(parseJson(bytes)))
  if (keys.length === 0) return undefined
  throw new DaemonError(
    'bad-request',
    `unknown field ${keys[0]?.slice(0, 80)}: the body must be empty`,
  )
}

/** Accepts a missing content type as JSON. */
function requireJson({ headers }: Request): void {
  const type = headers['content-type']
  if (type === undefined) return
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(type)) {
    throw new DaemonError('bad-request', 'the Content-Type must be application/json in UTF-8')
  }
}

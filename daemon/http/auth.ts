import type { IncomingMessage } from 'node:http'
import type { Access } from '../api/route.ts'
import type { TokenUseCases } from '../app/ground/use-cases.ts'
import { DaemonError } from '../errors.ts'
import type { Principal, Redacted } from '../ports.ts'
import { bearerOf, createMatcher } from './credential.ts'
import { hasLoopbackHost, isFromOtherSite, isLoopbackPeer } from './peers.ts'

/** The master token: none (the API is open), set by its owner, or made by the daemon. */
export type MasterToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'explicit' | 'auto'; readonly value: Redacted }

export interface AuthConfig {
  readonly token: MasterToken
  readonly bootstrapAccess: 'loopback' | 'any' | 'off'
  /** Everybody who reaches the API may use it: a decision, not an oversight. */
  readonly allowOpenApi: boolean
}

/** Who asks, or why they can't. */
export type Identity = Principal | { readonly kind: 'unknown'; readonly why: string }

/**
 * Says who makes a request to a route of this access. Throws DaemonError `not-found` where bootstrap access is over or
 * not for this peer, and `forbidden` for pages of other sites that try an open API.
 */
export type Identify = (req: IncomingMessage, access: Access) => Promise<Identity>

export function createIdentify(
  config: AuthConfig,
  tokens: Pick<TokenUseCases, 'authenticate'>,
): Identify {
  const { token } = config
  const isMaster = token.kind === 'none' ? () => false : createMatcher(token.value)
  return async (req, access) => {
    if (access.kind === 'open' || access.kind === 'signature') return { kind: 'open' }
    if (access.kind === 'bootstrap') {
      if (mayBootstrap(req, config)) return { kind: 'open' }
      throw new DaemonError('not-found', 'no token to hand out')
    }
    if (token.kind === 'none') {
      refuseOtherSites(req, config)
      return { kind: 'open' }
    }
    const { authorization } = req.headers
    if (authorization === undefined) {
      return { kind: 'unknown', why: 'a token is needed: send Authorization: Bearer <token>' }
    }
    const given = bearerOf(authorization)
    if (given === undefined) {
      return { kind: 'unknown', why: 'the Authorization header must be: Bearer <token>' }
    }
    if (isMaster(given)) return { kind: 'master' }
    return (await tokens.authenticate(given)) ?? { kind: 'unknown', why: 'the token is not valid' }
  }
}

function mayBootstrap(req: IncomingMessage, { token, bootstrapAccess }: AuthConfig): boolean {
  if (token.kind !== 'auto' || bootstrapAccess === 'off') return false
  return bootstrapAccess === 'any' || (isLoopbackPeer(req) && hasLoopbackHost(req))
}

/** With no token to show, where a request comes from is all that tells the owner from a page they look at. */
function refuseOtherSites(req: IncomingMessage, { allowOpenApi }: AuthConfig): void {
  if (isFromOtherSite(req)) {
    throw new DaemonError('forbidden', 'pages of other sites may not use this API')
  }
  if (!allowOpenApi && !hasLoopbackHost(req)) {
    throw new DaemonError(
      'forbidden',
      'without a token the API answers to localhost only: set SERVICE_API_TOKEN, or SERVICE_ALLOW_OPEN_API=1 to let everybody in',
    )
  }
}

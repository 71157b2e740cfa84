import type { Endpoint } from '../domain/endpoints.ts'
import type { Traffic } from '../domain/traffic.ts'
import type { Challenge, ServedCertificate } from './certificates.ts'

/** The gateway process, which forwards requests to apps. */
export interface Gateway {
  /** Sets the route of one host. Resolves when the gateway uses it, or at once if no gateway runs. */
  route(route: Route): Promise<void>
  unroute(hostname: string): Promise<void>
  /** Replaces all routes. */
  replace(routes: readonly Route[]): Promise<void>
  /** Resolves when no request to the endpoint is open, or after `timeoutMs`. */
  drained(endpoint: Endpoint, timeoutMs: number): Promise<void>
  /** The listener receives the last access time by environment id, for requests since its previous call. */
  onAccess(listener: (accesses: ReadonlyMap<number, number>) => void): void
  /** The listener receives the requests by environment id, since its previous call. */
  onTraffic(listener: (traffic: ReadonlyMap<number, Traffic>) => void): void
  /**
   * Sets the listener that wakes an environment for a held request. It resolves with the route, or rejects with an
   * explanation.
   */
  onWake(listener: (environmentId: number) => Promise<Route>): void
  /** Answers a validation until `removeChallenge`. Resolves when the gateway uses it, or at once if none runs. */
  setChallenge(challenge: Challenge): Promise<void>
  /** Removes all challenges of a host. */
  removeChallenge(hostname: string): Promise<void>
  /** Uses a certificate for all new connections to its host. Open connections continue. */
  setCertificate(certificate: ServedCertificate): Promise<void>
  removeCertificate(hostname: string): Promise<void>
  /** Replaces all certificates. */
  replaceCertificates(all: readonly ServedCertificate[]): Promise<void>
}

/** `port` is null if the app sleeps or is down: the gateway then holds requests and requests a wake. */
export interface Route {
  readonly hostname: string
  readonly environmentId: number
  readonly projectId: number
  /** Address of the app's node; absent for this host. */
  readonly host?: string
  readonly port: number | null
  /** A held request fails with 503 after this time. */
  readonly wakeBudgetMs: number
}

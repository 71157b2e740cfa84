import { latencyBounds } from '../domain/traffic.ts'
import type { Challenge, Route, ServedCertificate } from '../ports.ts'
import { asArray, asRecord, isNonNegativeInteger, isPort, isString, parseJson } from './json.ts'

/**
 * Version of the protocol between daemon and gateway on the control socket: one JSON object per line. A gateway sends
 * `hello` on each connection. Every version understands `hello` and `retire`.
 */
export const protocolVersion = 4

/** Requests of an environment since the previous report. Buckets as in `daemon/domain/traffic.ts`. */
export type TrafficCounts = readonly [
  environmentId: number,
  requests: number,
  errors: number,
  sumMs: number,
  buckets: readonly number[],
]

export type ToGateway =
  /** Subscribes this connection to wake requests and accesses. */
  | { readonly type: 'serve' }
  | { readonly type: 'route'; readonly id: number; readonly route: Route }
  | { readonly type: 'unroute'; readonly id: number; readonly hostname: string }
  | { readonly type: 'replace'; readonly id: number; readonly routes: readonly Route[] }
  | {
      readonly type: 'drained'
      readonly id: number
      readonly host: string
      readonly port: number
      readonly timeoutMs: number
    }
  | { readonly type: 'woken'; readonly environmentId: number; readonly route: Route }
  | { readonly type: 'not_woken'; readonly environmentId: number }
  | { readonly type: 'accesses_taken'; readonly id: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'challenge'; readonly id: number; readonly challenge: Challenge }
  /** Removes all challenges of a host. */
  | { readonly type: 'unchallenge'; readonly id: number; readonly hostname: string }
  | {
      readonly type: 'certificates'
      readonly id: number
      readonly certificates: readonly ServedCertificate[]
    }
  | { readonly type: 'remove_certificate'; readonly id: number; readonly hostname: string }
  /** Removes the certificates of all other hosts: the gateway then has all certificates. */
  | {
      readonly type: 'keep_certificates'
      readonly id: number
      readonly hostnames: readonly string[]
    }
  /** Makes the gateway stop listening, finish its open requests, and exit. */
  | { readonly type: 'retire' }

export type FromGateway =
  /** Greeting of the gateway. `settings` is the settings JSON with which it was started. */
  | { readonly type: 'hello'; readonly pid: number; readonly settings: string }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'wake'; readonly environmentId: number }
  | {
      readonly type: 'accesses'
      readonly id: number
      readonly accesses: readonly (readonly [environmentId: number, time: number])[]
    }
  | { readonly type: 'traffic'; readonly counts: readonly TrafficCounts[] }
  | { readonly type: 'retired' }

/** Maximum length of a line; a longer line closes the connection. 100,000 routes of about 120 bytes fit. */
export const maxLineBytes = 64 * 1024 * 1024

export function parseToGateway(line: string): ToGateway | undefined {
  const read = asRecord(parseJson(line))
  if (read === undefined) return undefined
  const { type, id, environmentId, hostname, host, port, timeoutMs } = read
  switch (type) {
    case 'serve':
    case 'retire':
      return { type }
    case 'woken': {
      const route = parseRoute(read.route)
      return route && isNonNegativeInteger(environmentId)
        ? { type, environmentId, route }
        : undefined
    }
    case 'not_woken':
      return isNonNegativeInteger(environmentId) ? { type, environmentId } : undefined
  }
  if (!isNonNegativeInteger(id)) return undefined
  switch (type) {
    case 'route': {
      const route = parseRoute(read.route)
      return route && { type, id, route }
    }
    case 'unroute':
      return isString(hostname) ? { type, id, hostname } : undefined
    case 'replace': {
      const routes = parseRoutes(read.routes)
      return routes && { type, id, routes }
    }
    case 'drained':
      return isString(host) && isPort(port) && isNonNegativeInteger(timeoutMs)
        ? { type, id, host, port, timeoutMs }
        : undefined
    case 'accesses_taken':
    case 'ping':
      return { type, id }
    case 'challenge': {
      const challenge = parseChallenge(read.challenge)
      return challenge && { type, id, challenge }
    }
    case 'unchallenge':
    case 'remove_certificate':
      return isString(hostname) ? { type, id, hostname } : undefined
    case 'certificates': {
      const certificates = parseCertificates(read.certificates)
      return certificates && { type, id, certificates }
    }
    case 'keep_certificates': {
      const hostnames = asArray(read.hostnames, isString)
      return hostnames && { type, id, hostnames }
    }
  }
  return undefined
}

export function parseFromGateway(line: string): FromGateway | undefined {
  const read = asRecord(parseJson(line))
  if (read === undefined) return undefined
  const { type, id, pid, settings, environmentId, accesses, counts } = read
  switch (type) {
    case 'hello':
      return isNonNegativeInteger(pid) && isString(settings) ? { type, pid, settings } : undefined
    case 'done':
      return isNonNegativeInteger(id) ? { type, id } : undefined
    case 'wake':
      return isNonNegativeInteger(environmentId) ? { type, environmentId } : undefined
    case 'accesses':
      return isNonNegativeInteger(id) && Array.isArray(accesses) && accesses.every(isAccess)
        ? { type, id, accesses }
        : undefined
    case 'traffic':
      return Array.isArray(counts) && counts.every(isTraffic) ? { type, counts } : undefined
    case 'retired':
      return { type }
  }
  return undefined
}

export function parseRoute(value: unknown): Route | undefined {
  const read = asRecord(value)
  if (read === undefined) return undefined
  // A snapshot of an older gateway contains no project ids: its routes share one project.
  const { hostname, environmentId, projectId = 0, host, port, wakeBudgetMs } = read
  if (
    !isString(hostname) ||
    !isNonNegativeInteger(environmentId) ||
    !isNonNegativeInteger(projectId) ||
    !isNonNegativeInteger(wakeBudgetMs)
  )
    return undefined
  if (port !== null && !isPort(port)) return undefined
  if (host !== undefined && !isString(host)) return undefined
  const place = host === undefined ? { port } : { host, port }
  return { hostname, environmentId, projectId, ...place, wakeBudgetMs }
}

export function parseRoutes(value: unknown): readonly Route[] | undefined {
  if (!Array.isArray(value)) return undefined
  const routes = value.map(parseRoute)
  return routes.every((route) => route !== undefined) ? routes : undefined
}

function parseChallenge(value: unknown): Challenge | undefined {
  const read = asRecord(value)
  if (read === undefined || !isString(read.hostname)) return undefined
  const { kind, hostname, path, body, cert, key } = read
  if (kind === 'http' && isString(path) && isString(body)) return { kind, hostname, path, body }
  if (kind === 'tls' && isString(cert) && isString(key)) return { kind, hostname, cert, key }
  return undefined
}

export function parseCertificates(value: unknown): readonly ServedCertificate[] | undefined {
  if (!Array.isArray(value)) return undefined
  const certificates = value.map((item): ServedCertificate | undefined => {
    const { hostname, cert, key } = asRecord(item) ?? {}
    return isString(hostname) && isString(cert) && isString(key)
      ? { hostname, cert, key }
      : undefined
  })
  return certificates.every((each) => each !== undefined) ? certificates : undefined
}

function isTraffic(value: unknown): value is TrafficCounts {
  if (!Array.isArray(value) || value.length !== 5) return false
  const buckets: unknown = value[4]
  return (
    value.slice(0, 4).every(isNonNegativeInteger) &&
    Array.isArray(buckets) &&
    buckets.length === latencyBounds.length + 1 &&
    buckets.every(isNonNegativeInteger)
  )
}

function isAccess(value: unknown): value is readonly [number, number] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    isNonNegativeInteger(value[0]) &&
    isNonNegativeInteger(value[1])
  )
}

import { asArray, asRecord, isNonNegativeInteger, isString } from './json.ts'
import { protocolVersion } from './protocol.ts'

/**
 * Settings of a gateway process. A daemon replaces a running gateway if any setting differs from its own. Every
 * difference between two gateways must therefore be a setting.
 */
export interface GatewaySettings {
  readonly protocol: number
  /** Program version. */
  readonly version: string
  readonly address: { readonly host: string; readonly port: number }
  readonly socketPath: string
  readonly snapshotPath: string
  /** Addresses and ranges whose `X-Forwarded-*` headers are trusted, for example `127.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  /** The listener for TLS; null: the gateway serves plain HTTP only. */
  readonly tls: GatewayTls | null
  /** File of the access log; null: no log. */
  readonly accessLogPath: string | null
  readonly limits: GatewayLimits
}

export interface GatewayTls {
  readonly address: { readonly host: string; readonly port: number }
  /** File in which the gateway keeps the certificates with their plain keys; null: only in memory. */
  readonly certificatesPath: string | null
  /** Time for which browsers use only HTTPS with a host; null: no such header. */
  readonly hstsSeconds: number | null
}

/** Limits of the gateway: counts, bytes and milliseconds. */
export interface GatewayLimits {
  readonly connections: number
  readonly openPerApp: number
  readonly heldPerEnvironment: number
  /**
   * Maximum number of held requests of all projects. A full pool displaces requests of the project that holds the most.
   */
  readonly held: number
  readonly headerBytes: number
  readonly headerCount: number
  /** Maximum time for the headers of a request. */
  readonly headersMs: number
  /** Maximum time without body bytes before the app responds. */
  readonly bodyIdleMs: number
  /** Maximum time until an app starts its response. */
  readonly answerMs: number
  /** Maximum time for a client to accept more of a response. */
  readonly stalledMs: number
  /** Maximum time for the rest of a request body after the response. */
  readonly lingerMs: number
  /** Lifetime of a client's idle connection. Must exceed the lifetime that common front proxies use. */
  readonly keepAliveMs: number
  /** Lifetime of an idle connection to an app. Must be below the keep-alive timeout of Node servers (5 s). */
  readonly appKeepAliveMs: number
  /** Maximum hold of a request while no daemon is connected. */
  readonly daemonAbsentMs: number
  /** Maximum time for a retired gateway to finish its open requests. */
  readonly retireMs: number
}

export const defaultLimits: GatewayLimits = {
  connections: 10_000,
  openPerApp: 2_048,
  heldPerEnvironment: 1_000,
  held: 4_000,
  headerBytes: 32 * 1024,
  headerCount: 200,
  headersMs: 15_000,
  bodyIdleMs: 60_000,
  answerMs: 300_000,
  stalledMs: 120_000,
  lingerMs: 10_000,
  keepAliveMs: 95_000,
  appKeepAliveMs: 4_000,
  daemonAbsentMs: 3_000,
  retireMs: 60_000,
}

/** Trusts loopback by default: a local client is a proxy or a user of this machine. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Parses settings JSON. Throws an Error that names the invalid setting. */
export function parseSettings(text: string): GatewaySettings {
  const read = asRecord(JSON.parse(text))
  const address = asRecord(read?.address)
  const given = asRecord(read?.limits)
  const trustedProxies = asArray(read?.trustedProxies, isString)
  if (read?.protocol !== protocolVersion)
    throw new Error(`the settings have another protocol version: expected ${protocolVersion}`)
  const { version, socketPath, snapshotPath } = read
  if (!isString(version) || !isString(socketPath) || !isString(snapshotPath) || !trustedProxies) {
    throw new Error('the settings need version, socketPath, snapshotPath and trustedProxies')
  }
  if (!isString(address?.host) || !isNonNegativeInteger(address.port))
    throw new Error('the settings need an address')
  const { host, port } = address
  const limits = Object.fromEntries(
    Object.keys(defaultLimits).map((name) => [name, limitOf(name, given?.[name])]),
  ) as unknown as GatewayLimits // The cast restores the key names, which Object.fromEntries loses.
  return {
    protocol: protocolVersion,
    version,
    address: { host, port },
    socketPath,
    snapshotPath,
    trustedProxies,
    tls: parseTls(read.tls),
    accessLogPath: isString(read.accessLogPath) ? read.accessLogPath : null,
    limits,
  }
}

function parseTls(value: unknown): GatewayTls | null {
  if (value === null) return null
  const read = asRecord(value)
  const { host, port } = asRecord(read?.address) ?? {}
  const { certificatesPath, hstsSeconds } = read ?? {}
  if (
    !isString(host) ||
    !isNonNegativeInteger(port) ||
    !(certificatesPath === null || isString(certificatesPath)) ||
    !(hstsSeconds === null || isNonNegativeInteger(hstsSeconds))
  ) {
    throw new Error('the settings need tls: null, or address, certificatesPath and hstsSeconds')
  }
  return { address: { host, port }, certificatesPath, hstsSeconds }
}

function limitOf(name: string, value: unknown): number {
  if (isNonNegativeInteger(value)) return value
  throw new Error(`the settings need the limit ${name}`)
}

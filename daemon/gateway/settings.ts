import { asArray, asRecord, isNonNegativeInteger, isString } from './json.ts'
import { protocolVersion } from './protocol.ts'

/**
 * What a gateway process is started with. A gateway that was started with other settings than a daemon would give it
 * is replaced, so everything that makes one gateway different from another is in here.
 */
export interface GatewaySettings {
  readonly protocol: number
  /** Of the program: another build is another gateway. */
  readonly version: string
  readonly address: { readonly host: string; readonly port: number }
  readonly socketPath: string
  readonly snapshotPath: string
  /** Addresses and ranges whose `X-Forwarded-*` are believed, as `127.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  readonly limits: GatewayLimits
}

/** Bounds of the gateway: counts, bytes and milliseconds. */
export interface GatewayLimits {
  readonly connections: number
  readonly openPerApp: number
  readonly heldPerEnvironment: number
  readonly held: number
  readonly headerBytes: number
  readonly headerCount: number
  /** For all headers of a request to come. */
  readonly headersMs: number
  /** For the next bytes of a body that an app has not begun to answer. */
  readonly bodyIdleMs: number
  /** For an app to begin its answer. */
  readonly answerMs: number
  /** For a client to take more of an answer, and for what is left of a body after its answer. */
  readonly stalledMs: number
  readonly lingerMs: number
  /** How long a client's idle connection is kept: longer than proxies in front keep theirs. */
  readonly keepAliveMs: number
  /** How long an app's idle connection is kept: shorter than Node's servers keep theirs (5 s). */
  readonly appKeepAliveMs: number
  /** How long a request waits for a daemon that is not there. */
  readonly daemonAbsentMs: number
  /** How long a gateway that was replaced serves what it had begun. */
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

/** Whoever is on this machine stands behind no proxy, or is the proxy. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Reads what `JSON.stringify` made of settings. Throws an Error that names what is wrong. */
export function parseSettings(text: string): GatewaySettings {
  const read = asRecord(JSON.parse(text))
  const address = asRecord(read?.address)
  const given = asRecord(read?.limits)
  const trustedProxies = asArray(read?.trustedProxies, isString)
  if (read?.protocol !== protocolVersion) throw new Error('settings are of another protocol')
  const { version, socketPath, snapshotPath } = read
  if (!isString(version) || !isString(socketPath) || !isString(snapshotPath) || !trustedProxies) {
    throw new Error('settings need version, socketPath, snapshotPath and trustedProxies')
  }
  if (!isString(address?.host) || !isNonNegativeInteger(address.port))
    throw new Error('settings need an address')
  const { host, port } = address
  const limits = Object.fromEntries(
    Object.keys(defaultLimits).map((name) => [name, limitOf(name, given?.[name])]),
  ) as unknown as GatewayLimits // Object.fromEntries knows no names.
  return {
    protocol: protocolVersion,
    version,
    address: { host, port },
    socketPath,
    snapshotPath,
    trustedProxies,
    limits,
  }
}

function limitOf(name: string, value: unknown): number {
  if (isNonNegativeInteger(value)) return value
  throw new Error(`settings need the limit ${name}`)
}

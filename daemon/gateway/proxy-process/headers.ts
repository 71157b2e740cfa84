import type { IncomingMessage } from 'node:http'

/** Remote end of a client connection. */
export interface Peer {
  readonly address: string
  /** True for a proxy whose `X-Forwarded-*` headers are trusted. */
  readonly isTrusted: boolean
  readonly proto: 'http' | 'https'
  /** Value of `Strict-Transport-Security` for the responses; null: no such header. */
  readonly hsts: string | null
}

type Kind =
  | 'pass'
  /** Request headers that are hop-by-hop (RFC 9110, 7.6.1) or dangerous: removed. */
  | 'drop'
  | 'host'
  /** Headers that frame the body: kept even if `Connection` names them. */
  | 'length'
  /** Headers that describe the client: accepted only from a trusted peer. */
  | 'forwarded'
  | 'for'
  | 'proto'
  | 'forwarded-host'
  | 'request-id'
  | 'te'
  | 'trailer'

const special: Readonly<Record<string, Kind>> = {
  connection: 'drop',
  'keep-alive': 'drop',
  'proxy-connection': 'drop',
  'proxy-authenticate': 'drop',
  'proxy-authorization': 'drop',
  // The `Proxy` header becomes HTTP_PROXY in the environment of a CGI program.
  proxy: 'drop',
  'transfer-encoding': 'drop',
  upgrade: 'drop',
  'http2-settings': 'drop',
  host: 'host',
  'content-length': 'length',
  forwarded: 'forwarded',
  'x-real-ip': 'forwarded',
  'x-forwarded-port': 'forwarded',
  'x-forwarded-prefix': 'forwarded',
  'x-forwarded-server': 'forwarded',
  'x-forwarded-for': 'for',
  'x-forwarded-proto': 'proto',
  'x-forwarded-host': 'forwarded-host',
  'x-request-id': 'request-id',
  te: 'te',
  trailer: 'trailer',
}

/** Cached by the header name as written: few spellings occur. */
const kinds = new Map<string, Kind>()

function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  const kind = Object.hasOwn(special, lower) ? special[lower] : kindOfUnderscored(lower)
  if (kinds.size < 1_000) kinds.set(name, kind ?? 'pass')
  return kind ?? 'pass'
}

/** Some frameworks read `X_Forwarded_For` as `X-Forwarded-For`: drop underscored forms of special headers. */
function kindOfUnderscored(lower: string): Kind {
  return lower.includes('_') && Object.hasOwn(special, lower.replaceAll('_', '-')) ? 'drop' : 'pass'
}

/**
 * Returns the headers for the app as alternating names and values, or undefined if the request has two Host headers.
 * `upgrade` keeps the upgrade headers.
 */
export function requestHeaders(
  request: IncomingMessage,
  peer: Peer,
  options: { makeId: () => string; host: string; upgrade: boolean },
): string[] | undefined {
  const { rawHeaders: raw, headers: parsed, method } = request
  const hopByHop = connectionOptions(parsed.connection)
  const isChunked = parsed['transfer-encoding'] !== undefined
  const headers: string[] = ['Host', options.host]
  let hosts = 0
  let forwardedFor = peer.address
  let proto: string = peer.proto
  let forwardedHost = options.host
  let id = ''
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    const value = raw[i + 1] ?? ''
    const kind = kindOf(name)
    switch (kind) {
      case 'pass':
        if (hopByHop?.has(name.toLowerCase())) continue
        break
      case 'length':
        break
      case 'forwarded':
        if (!peer.isTrusted) continue
        break
      case 'trailer':
        if (!isChunked) continue
        break
      case 'host':
        hosts += 1
        continue
      case 'for':
        if (peer.isTrusted && value !== '') forwardedFor = `${value}, ${forwardedFor}`
        continue
      case 'proto':
        if (peer.isTrusted && /^https?$/i.test(value)) proto = value.toLowerCase()
        continue
      case 'forwarded-host':
        if (peer.isTrusted && value !== '') forwardedHost = value
        continue
      case 'request-id':
        if (/^[\x21-\x7e]{1,128}$/.test(value)) id = value
        continue
      case 'te':
        if (/(?:^|,)\s*trailers\s*(?:,|$)/i.test(value)) headers.push('TE', 'trailers')
        continue
      case 'drop':
        continue
    }
    headers.push(name, value)
  }
  if (hosts > 1) return undefined
  if (options.upgrade) headers.push('Connection', 'Upgrade', 'Upgrade', parsed.upgrade ?? '')
  else if (isChunked) headers.push('Transfer-Encoding', 'chunked')
  else if (parsed['content-length'] === undefined && mayHaveBody(method)) {
    headers.push('Content-Length', '0')
  }
  headers.push(
    'X-Forwarded-For',
    forwardedFor,
    'X-Forwarded-Proto',
    proto,
    'X-Forwarded-Host',
    forwardedHost,
    'X-Request-Id',
    id || options.makeId(),
  )
  return headers
}

/** Returns the value of `X-Forwarded-Proto`, which only a trusted peer may set. */
export function trustedProto({ headers }: IncomingMessage): string | undefined {
  const value = headers['x-forwarded-proto']
  return typeof value === 'string' ? value.toLowerCase() : undefined
}

/** Returns the headers of an app's response for the client. */
export function replyHeaders(reply: IncomingMessage, options: { trailers: boolean }): string[] {
  const { rawHeaders: raw } = reply
  const hopByHop = connectionOptions(reply.headers.connection)
  const headers: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    const kind = kindOf(name)
    if (kind === 'drop' || (kind === 'trailer' && !options.trailers)) continue
    if (kind !== 'length' && hopByHop?.has(name.toLowerCase())) continue
    headers.push(name, raw[i + 1] ?? '')
  }
  return headers
}

/** Returns the trailers, without headers that frame, route or describe the client (RFC 9110, 6.5.1). */
export function trailersOf(message: IncomingMessage): [string, string][] {
  const { rawTrailers: raw } = message
  const trailers: [string, string][] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    if (kindOf(name) === 'pass') trailers.push([name, raw[i + 1] ?? ''])
  }
  return trailers
}

/** Returns the header names listed in `Connection`, or null if the header is absent, `close` or `keep-alive`. */
function connectionOptions(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined) return null
  if (connection === 'keep-alive' || connection === 'close') return null
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

/** Returns true for methods for which Node sends `Transfer-Encoding: chunked` unless a length is given. */
function mayHaveBody(method: string | undefined): boolean {
  return !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/.test(method ?? '')
}

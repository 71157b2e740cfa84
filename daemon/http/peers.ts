import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Returns true if the peer of the socket is on this machine. Ignores headers, which clients can forge. */
export function isLoopbackPeer({ socket }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '')
}

/** Returns true for ::1 and addresses in 127.0.0.0/8 (including IPv4-mapped). */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/**
 * Returns true if `Host` is localhost or a loopback address. Prevents DNS rebinding: a page of another site can resolve
 * its own host name to 127.0.0.1, but its requests still carry that name as `Host`.
 */
export function hasLoopbackHost({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
  )
}

/** Returns true if a header shows that a proxy forwarded the request. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some((name) => proxyHeader.test(name))
}

const proxyHeader =
  /^(via|forwarded|(x-)?forwarded-.*|x-original-.*|x-envoy-.*|x-proxy.*|(x-|true-|cf-|fastly-)?(real-ip|client-?ip|cluster-client-ip|connecting-ip|remote-(ip|addr)))$/

/** Returns true if the browser's headers show that a page of another site sent the request. */
export function isFromOtherSite({ headers }: IncomingMessage): boolean {
  const { origin } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  return !URL.canParse(origin) || new URL(origin).host !== headers.host?.toLowerCase()
}

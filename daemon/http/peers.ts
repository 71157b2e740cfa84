import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Returns whether the peer of the socket is on this machine. Ignores headers, which a client can forge. */
export function isLoopbackPeer({ socket }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '')
}

/** Returns whether an address is in 127.0.0.0/8 (IPv4-mapped included) or is ::1. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/**
 * Returns whether `Host` is localhost or a loopback address. Stops DNS rebinding: a page of another site can resolve its
 * own name to 127.0.0.1, but it cannot send another name as `Host`.
 */
export function hasLoopbackHost({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
  )
}

/** Returns whether a header says that a proxy passed the request on. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some((name) => proxyHeader.test(name))
}

const proxyHeader =
  /^(via|forwarded|(x-)?forwarded-.*|x-original-.*|x-envoy-.*|x-proxy.*|(x-|true-|cf-|fastly-)?(real-ip|client-?ip|cluster-client-ip|connecting-ip|remote-(ip|addr)))$/

/** Returns whether the browser's headers say that a page of another site sends the request. */
export function isFromOtherSite({ headers }: IncomingMessage): boolean {
  const { origin } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  return !URL.canParse(origin) || new URL(origin).host !== headers.host?.toLowerCase()
}

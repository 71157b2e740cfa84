import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Whether the other end of the socket is on this machine. Headers have no say in it. */
export function isLoopbackPeer({ socket }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '')
}

/** Whether an address is 127.0.0.0/8 or ::1, mapped ones included. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/**
 * Whether the request's `Host` is a name that only this machine answers to. A page of another site can have its own name
 * resolve to 127.0.0.1 (DNS rebinding), but can't change the name it calls.
 */
export function hasLoopbackHost({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
  )
}

/** Whether a browser says that a page of another site makes the request. */
export function isFromOtherSite({ headers }: IncomingMessage): boolean {
  const { origin } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  return !URL.canParse(origin) || new URL(origin).host !== headers.host?.toLowerCase()
}

const name = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/
const literal = /^\[[0-9a-f:.]+\]$/

/**
 * Returns the host name of a `Host` header in lower case, without port and trailing dot, as in route keys. Returns
 * undefined for an invalid header. Stricter than RFC 3986: rejects characters with a meaning in HTML.
 */
export function parseHostHeader(header: string): string | undefined {
  const match = /^(.*?)(?::\d{0,5})?$/.exec(header)
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '') ?? ''
  return host.length <= 253 && (name.test(host) || literal.test(host)) ? host : undefined
}

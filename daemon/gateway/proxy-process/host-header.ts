const name = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/
const literal = /^\[[0-9a-f:.]+\]$/

/**
 * The host name in a `Host` header as routes have it: lower case, with no port and no dot at its end; undefined for
 * what is no host name (RFC 3986, and nothing that would mean something in a page).
 */
export function parseHostHeader(header: string): string | undefined {
  const match = /^(.*?)(?::\d{0,5})?$/.exec(header)
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '') ?? ''
  return host.length <= 253 && (name.test(host) || literal.test(host)) ? host : undefined
}

import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns the host name that a visitor requested: the first value of `X-Forwarded-Host`, otherwise `Host`. The name is
 * in lower case, without port and trailing dot; `''` if both headers are missing.
 */
export function visitorHost(headers: IncomingHttpHeaders): string {
  const forwarded = headers['x-forwarded-host']
  const given = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim()
  const text = (given || headers.host || '').toLowerCase()
  return text.replace(/:\d*$/, '').replace(/\.$/, '').slice(0, 255)
}

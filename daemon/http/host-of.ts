import type { IncomingHttpHeaders } from 'node:http'

/**
 * The host name a visitor asked for: the first of `X-Forwarded-Host`, else `Host`. Lower case,
 * with no port and no dot at its end; `''` for none.
 */
export function hostOf(headers: IncomingHttpHeaders): string {
  const forwarded = headers['x-forwarded-host']
  const given = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim()
  const text = (given || headers.host || '').toLowerCase()
  return text.replace(/:\d*$/, '').replace(/\.$/, '').slice(0, 255)
}

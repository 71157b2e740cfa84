import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Redacted } from '../ports.ts'

/** Returns true if `hex` is the HMAC-SHA256 of the bytes under the secret. Constant time. */
export function isHmac(hex: string, rawBody: Uint8Array, secret: Redacted): boolean {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return false
  const expected = createHmac('sha256', secret.reveal()).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

/** Returns true if `given` equals the secret. Compares digests, so that the time does not reveal the length either. */
export function isSecret(given: string, secret: Redacted): boolean {
  return timingSafeEqual(digest(given), digest(secret.reveal()))
}

/** Returns the first value of a header, or `''` if it is absent. `name` is in lower case. */
export function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Redacted } from '../ports.ts'

/** Whether `hex` is the HMAC-SHA256 of the bytes under the secret. */
export function isHmac(hex: string, rawBody: Uint8Array, secret: Redacted): boolean {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return false
  const expected = createHmac('sha256', secret.reveal()).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

/** Whether `given` is the secret itself; digests are compared, so that lengths don't tell either. */
export function isSecret(given: string, secret: Redacted): boolean {
  return timingSafeEqual(digest(given), digest(secret.reveal()))
}

/** The first value of a header, `''` when it is absent. Names in lower case. */
export function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

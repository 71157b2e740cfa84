import { createHmac, randomBytes } from 'node:crypto'
import type { Redacted } from '../ports.ts'
import { redacted } from './redacted.ts'

const prefix = 'whsec_'

/** Returns a new signing key of Standard Webhooks: 32 random bytes in Base64 after `whsec_`. */
export function createSigningKey(): Redacted {
  return redacted(`${prefix}${randomBytes(32).toString('base64')}`)
}

/**
 * Returns the headers of Standard Webhooks (www.standardwebhooks.com): the signature covers id, time and body. `at` is
 * in milliseconds since 1970.
 */
export function signatureHeaders(
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
  key: Redacted,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const bytes = Buffer.from(key.reveal().slice(prefix.length), 'base64')
  const hmac = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  }
}

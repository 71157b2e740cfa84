import { createHash, timingSafeEqual } from 'node:crypto'
import type { Redacted } from '../ports.ts'

/**
 * The token of an `Authorization` header: one of visible ASCII after `Bearer`, in any case (RFC 9110). Undefined for
 * every other shape.
 */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1]
}

/** Tells whether a text is the secret, in a time that depends on neither. */
export function createMatcher(secret: Redacted): (given: string) => boolean {
  const expected = digest(secret.reveal())
  return (given) => timingSafeEqual(digest(given), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

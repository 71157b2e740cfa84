import { createHash, timingSafeEqual } from 'node:crypto'
import type { Redacted } from '../ports.ts'

/**
 * Returns the token of an `Authorization: Bearer` header: visible ASCII, with the scheme in any case (RFC 9110).
 * Returns undefined if the header is malformed.
 */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1]
}

/** Returns a function that compares a text with the secret in constant time. */
export function createMatcher(secret: Redacted): (given: string) => boolean {
  const expected = digest(secret.reveal())
  return (given) => timingSafeEqual(digest(given), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

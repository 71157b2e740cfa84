import { createHash, timingSafeEqual } from 'node:crypto'
import type { Redacted } from '../ports.ts'

/**
 * Returns the token of an `Authorization: Bearer` header: visible ASCII, with the scheme in any case (RFC 9110).
 * Returns undefined if the header is malformed.
 */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1]
}

/**
 * Returns the password of an `Authorization: Basic` header (RFC 7617), which git clients send, with any user name.
 * Returns undefined if the header is malformed.
 */
export function basicPasswordOf(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]{1,8192}={0,2}) *$/i.exec(header ?? '') ?? []
  const pair = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  return /^[^:]*:([\x21-\x7e]{1,4096})$/.exec(pair)?.[1]
}

/** Returns a function that compares a text with the secret in constant time. */
export function createMatcher(secret: Redacted): (given: string) => boolean {
  const expected = digest(secret.reveal())
  return (given) => timingSafeEqual(digest(given), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

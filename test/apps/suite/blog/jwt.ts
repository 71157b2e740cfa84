import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { type JsonObject, objectOf } from '../answers.ts'

/** Decodes a token without verification. Throws unless header and claims are JSON. */
export function decodeToken(token: string): {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly parts: readonly [string, string, string]
} {
  const [head = '', body = '', signature = '', ...rest] = token.split('.')
  assert.ok(signature !== '' && rest.length === 0, `the token has not three parts: ${token}`)
  const read = (part: string): JsonObject =>
    objectOf(JSON.parse(Buffer.from(part, 'base64url').toString()), token)
  return { header: read(head), claims: read(body), parts: [head, body, signature] }
}

/** Encodes a part of a token: JSON in base64url. */
export function partOf(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const

/** Signs a token with a secret; `header` can name another algorithm. */
export function signedToken(
  claims: unknown,
  secret: string,
  algorithm: keyof typeof digests = 'HS256',
  header: unknown = { alg: algorithm, typ: 'JWT' },
): string {
  const text = `${partOf(header)}.${partOf(claims)}`
  return `${text}.${createHmac(digests[algorithm], secret).update(text).digest('base64url')}`
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Signs a token with a generated key pair. */
export function rs256Token(claims: JsonObject): string {
  const text = `${partOf({ alg: 'RS256', typ: 'JWT' })}.${partOf(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

/** Returns tokens without a signature. */
export function unsignedTokens(claims: JsonObject): readonly string[] {
  const names = ['none', 'None', 'NONE', 'nOnE', '']
  return names.flatMap((alg) => {
    const text = `${partOf({ alg, typ: 'JWT' })}.${partOf(claims)}`
    return [`${text}.`, `${text}.AAAA`]
  })
}

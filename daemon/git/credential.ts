import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'

/**
 * Settings of git that present a token to one host and to no other: no redirect is followed with it. A token is a password
 * to any user name; a host that asks for a certain one gets it from a token as `user:token`.
 */
export function credentialConfig(
  url: string,
  token: Redacted | null,
): (readonly [name: string, value: string])[] {
  if (token === null || !/^https?:/.test(url)) return []
  const secret = token.reveal()
  if (secret === '' || /\p{Cc}/u.test(secret)) {
    throw new DaemonError(
      'unprocessable',
      'git_token has characters that no token has: set it again',
    )
  }
  const pair = secret.includes(':') ? secret : `x-access-token:${secret}`
  return [
    [`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${base64(pair)}`],
    ['http.followRedirects', 'false'],
  ]
}

/** A text of another program without the token in any of its shapes, without credentials in URLs or control characters. */
export function scrub(text: string, token: Redacted | null): string {
  const secret = token?.reveal() ?? ''
  const shapes = [
    secret,
    encodeURIComponent(secret),
    secret.slice(secret.indexOf(':') + 1),
    base64(secret.includes(':') ? secret : `x-access-token:${secret}`),
  ]
  const known = secret === '' ? [] : shapes.filter((shape) => shape !== '')
  return known
    .reduce((left, shape) => left.replaceAll(shape, '[redacted]'), text)
    .replace(/\/\/[^/\s@]*@/g, '//')
    .replace(/[^\P{Cc}\n\r]/gu, ' ')
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'

/**
 * Returns git settings that send a token only to the host of `url`; git then follows no redirects. A token `user:token`
 * also sets the user name. Throws DaemonError `unprocessable` for a token with control characters.
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
      'git_token is empty or has control characters: set it again',
    )
  }
  const pair = secret.includes(':') ? secret : `x-access-token:${secret}`
  return [
    [`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${base64(pair)}`],
    ['http.followRedirects', 'false'],
  ]
}

/** Removes the token in each of its encodings, credentials in URLs and control characters from program output. */
export function scrub(text: string, token: Redacted | null): string {
  const secret = token?.reveal() ?? ''
  const encodings = [
    secret,
    encodeURIComponent(secret),
    secret.slice(secret.indexOf(':') + 1),
    base64(secret.includes(':') ? secret : `x-access-token:${secret}`),
  ]
  const hidden = secret === '' ? [] : encodings.filter((encoding) => encoding !== '')
  return hidden
    .reduce((rest, encoding) => rest.replaceAll(encoding, '[redacted]'), text)
    .replace(/\/\/[^/\s@]*@/g, '//')
    .replace(/[^\P{Cc}\n\r]/gu, ' ')
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

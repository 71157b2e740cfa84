import { ClientError } from './client-error.ts'

/**
 * The address of a daemon as it is kept: scheme, host, port and what stands before `/api/v1`. A host alone is taken for
 * `http` on this machine and for `https` elsewhere. Throws ClientError; never shows a credential that is in the text.
 */
export function parseDaemonUrl(text: string): string {
  const given = text.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given)
  const guess = isLoopback(given.replace(/[:/].*$/, '')) ? 'http' : 'https'
  const full = hasScheme ? given : `${guess}://${given}`
  if (given === '' || !URL.canParse(full)) throw refused('is no address')
  const url = new URL(full)
  if (url.username !== '' || url.password !== '') {
    throw refused('holds a credential: the token goes to standard input')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('must be http or https')
  if (url.search !== '' || url.hash !== '') throw refused('must have no ? or # part')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
  return `${url.origin}${path}`
}

/** Whether a daemon is on this machine, so that it can read folders of it. */
export function isLocalUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function refused(what: string): ClientError {
  return new ClientError(`the daemon's address ${what}`, {
    next: ['echo "$TOKEN" | strata login http://127.0.0.1:9000'],
  })
}

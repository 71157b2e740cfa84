import { ClientError } from '../errors/client-error.ts'

/**
 * Normalizes the address of a daemon to scheme, host, port and the path prefix before `/api/v1`. Without a scheme, a
 * loopback host gets `http` and any other host `https`. Throws ClientError, whose message never repeats a credential.
 */
export function parseDaemonUrl(text: string): string {
  const trimmed = text.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
  const defaultScheme = isLoopback(trimmed.replace(/[:/].*$/, '')) ? 'http' : 'https'
  const full = hasScheme ? trimmed : `${defaultScheme}://${trimmed}`
  if (trimmed === '' || !URL.canParse(full)) throw refused('is not a valid URL')
  const url = new URL(full)
  if (url.username !== '' || url.password !== '') {
    throw refused('contains a credential: pass the token on standard input')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('must start with http:// or https://')
  if (url.search !== '' || url.hash !== '') throw refused('must not have a ? or # part')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
  return `${url.origin}${path}`
}

/** Returns true if a daemon runs on this machine, so that it can read local folders. */
export function isLocalUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function refused(fault: string): ClientError {
  return new ClientError(`the daemon's address ${fault}`, {
    next: ['echo "$TOKEN" | strata login http://127.0.0.1:9000'],
  })
}

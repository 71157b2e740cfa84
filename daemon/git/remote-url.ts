import { DaemonError } from '../errors.ts'
import { canonicalHost, isLoopback, isRefusedAddress } from './remote-host.ts'

export interface Remote {
  /** The URL for git: `https://`, `ssh://`, or `http://` to this machine. Never contains a password. */
  readonly url: string
  /** `host/path` in lower case without `.git`, with a non-default port. Equal keys mean the same repository. */
  readonly key: string
}

/**
 * Normalizes the address of a repository: `https://`, `ssh://` or git's short form `user@host:path`. Throws DaemonError
 * `bad-request` for anything else: other protocols, credentials, plain HTTP to other machines, metadata services.
 */
export function normalizeRemote(text: string): Remote {
  const given = text.trim()
  if (given === '') throw refused('is empty')
  if (given.length > 2048) throw refused('is longer than 2048 characters')
  if (!given.isWellFormed() || /[\s\p{Cc}\\]/u.test(given)) {
    throw refused('must have no spaces, control characters or backslashes')
  }
  if (given.startsWith('-')) throw refused('must not start with -')
  const { scheme, user, host, port, path } = partsOf(given)
  const decoded = path.map(decode)
  const ending = port === defaultPorts[scheme] ? '' : `:${port}`
  const escaped = decoded.map(encode).join('/')
  const name = decoded.join('/').replace(/(?<=[^/])\.git$/i, '')
  return {
    url: `${scheme}://${user === '' ? '' : `${user}@`}${host}${ending}/${escaped}`,
    key: `${host}${ending}/${name}`.normalize('NFC').toLowerCase(),
  }
}

type Scheme = 'https' | 'http' | 'ssh'

interface Parts {
  readonly scheme: Scheme
  readonly user: string
  readonly host: string
  readonly port: number
  /** The path is still percent-encoded. */
  readonly path: readonly string[]
}

const defaultPorts: Record<Scheme, number> = { https: 443, http: 80, ssh: 22 }
const schemes: Readonly<Record<string, Scheme>> = {
  https: 'https',
  http: 'http',
  ssh: 'ssh',
  'git+ssh': 'ssh',
  'ssh+git': 'ssh',
}

function partsOf(text: string): Parts {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/i.exec(text)
  const [, name = '', authority = '', path = '', rest = ''] = url ?? shortForm(text)
  const scheme = schemes[name.toLowerCase()]
  if (!scheme) {
    throw refused(`must be an https or ssh URL; ${name.toLowerCase()} URLs are not allowed`)
  }
  if (rest !== '') throw refused('must have no ? or # part')
  const at = authority.lastIndexOf('@')
  const { host, port } = placeOf(authority.slice(at + 1), scheme)
  const user = userOf(authority.slice(0, Math.max(at, 0)), at >= 0, scheme)
  if (scheme === 'http' && !isLoopback(host)) {
    throw refused('must use https: plain http is only for repositories on this machine')
  }
  return { scheme, user, host, port, path: segmentsOf(path) }
}

/** Converts `user@host:path` to the parts of an ssh URL. The short form has no percent-encoding. */
function shortForm(text: string): readonly string[] {
  if (/^[a-z0-9+.-]*::/i.test(text)) {
    throw refused('must be an https or ssh URL; programs are not allowed')
  }
  const parts = /^((?:[^@/:]*@)?(?:\[[^\]/]*\]|[^/:@[\]]+)):(?!\/\/)(.*)$/.exec(text)
  if (!parts) throw refused('must be an https or ssh URL, or user@host:path')
  const [, authority = '', path = ''] = parts
  if (/^[a-z]$/i.test(authority)) throw refused('must be a URL: set repo_dir for a path')
  const escaped = path.replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23')
  return [text, 'ssh', authority, `/${escaped}`, '']
}

function placeOf(text: string, scheme: Scheme): { host: string; port: number } {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/.exec(text)
  const host = canonicalHost(parts?.[1] ?? '')
  if (!parts || host === undefined) throw refused('must name a host')
  const port = parts[2] ? Number(parts[2]) : defaultPorts[scheme]
  if (port < 1 || port > 65_535) throw refused('must have a port from 1 to 65535')
  if (isRefusedAddress(host)) {
    throw refused('must not be a link-local, metadata or unspecified address')
  }
  return { host, port }
}

function userOf(text: string, isGiven: boolean, scheme: Scheme): string {
  if (!isGiven) return ''
  if (scheme !== 'ssh' || text.includes(':')) {
    throw refused('must contain no credentials: set git_token instead')
  }
  if (!/^[a-z0-9_][a-z0-9._-]*$/i.test(text))
    throw refused('must have a plain user name before the @')
  return text
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.length === 0) throw refused('must name a repository after the host')
  return segments
}

function decode(segment: string): string {
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw refused('has an invalid percent code')
  }
  if (text === '.' || text === '..') throw refused('must have no . or .. in its path')
  if (/[/\\\p{Cc}]/u.test(text))
    throw refused('must have no percent-encoded slash or control character')
  return text
}

/** Keeps `:@+,=` unencoded, as users write them. */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:3A|40|2B|2C|3D)/g, decodeURIComponent)
}

function refused(fault: string): DaemonError {
  return new DaemonError('bad-request', `repo_url ${fault}`)
}

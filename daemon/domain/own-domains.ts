import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** A name that DNS allows, with at least two labels, of which the last is not a number. */
const dnsName =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalizes a domain: lower case, Punycode, no trailing dot. Returns a fault instead for a name that a project can't
 * have, such as a wildcard, an address, or a name below the base domain.
 */
export function normalizeDomain(
  text: string,
  baseDomain: string,
): { readonly domain: string } | { readonly fault: string } {
  if (text.includes('*')) {
    return { fault: 'a domain with * needs a certificate from files: give one host name' }
  }
  const written = text.replace(/\.$/, '')
  if (isIP(written.replace(/^\[(.*)\]$/, '$1')) !== 0) {
    return { fault: 'an IP address is not a domain: give a host name such as shop.example.com' }
  }
  // Browsers ignore parts of other texts, such as a path: such a text is no domain.
  const domain = /[\s/\\?#@:[\]%]/.test(written) ? '' : domainToASCII(written)
  if (domain.length > 253 || !dnsName.test(domain)) {
    return { fault: 'invalid domain: expected a host name such as shop.example.com' }
  }
  if (domain === baseDomain || domain.endsWith(`.${baseDomain}`)) {
    return {
      fault: `${domain} is below the base domain ${baseDomain}, whose names belong to the branches of projects`,
    }
  }
  return { domain }
}

/** A DNS record that makes a domain lead to this server. */
export interface DnsRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME'
  readonly name: string
  readonly value: string
}

/** Returns the records that a domain needs: the server's addresses, otherwise an alias of a host name of the server. */
export function recordsOf(
  domain: string,
  server: { readonly addresses: readonly string[]; readonly hostname: string | null },
): DnsRecord[] {
  const { addresses, hostname } = server
  if (addresses.length === 0) {
    return hostname === null ? [] : [{ type: 'CNAME', name: domain, value: hostname }]
  }
  return addresses.map((value) => ({
    type: isIP(value) === 6 ? 'AAAA' : 'A',
    name: domain,
    value,
  }))
}

export type DomainState =
  /** No certificate: the domain serves plain HTTP. */
  | 'http'
  /** The first certificate is on its way. */
  | 'pending'
  /** The domain has a valid certificate. */
  | 'secure'
  /** The last request for a certificate failed, or the certificate has expired. */
  | 'trouble'

/** Returns the state of a domain. `hasAuthority`: the daemon gets certificates from an authority. */
export function domainState(facts: {
  readonly fault: string | null
  readonly expiresAt: number | null
  readonly now: number
  readonly hasAuthority: boolean
}): DomainState {
  const { fault, expiresAt, now, hasAuthority } = facts
  if (expiresAt !== null && expiresAt <= now) return 'trouble'
  if (hasAuthority && fault !== null) return 'trouble'
  if (expiresAt !== null) return 'secure'
  return hasAuthority ? 'pending' : 'http'
}

/** Returns the time at which a certificate is renewed: after two thirds of its life. */
export function renewalAt({
  notBefore,
  notAfter,
}: {
  readonly notBefore: number
  readonly notAfter: number
}): number {
  return notBefore + Math.floor(((notAfter - notBefore) * 2) / 3)
}

/** Delay before the next request for a certificate. Authorities allow about five failures per name and hour. */
const retryDelaysMs = [15, 60, 240, 720].map((minutes) => minutes * 60_000)

/** Returns the delay after consecutive failures, not below the delay that the authority demands. */
export function certificateRetryMs(failures: number, demandedMs: number): number {
  const delay = retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? 0
  return Math.max(delay, demandedMs)
}

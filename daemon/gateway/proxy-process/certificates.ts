import { createSecureContext, type SecureContext } from 'node:tls'
import type { ServedCertificate } from '../../ports.ts'

/** Certificates by host name. */
export interface Certificates {
  /** Returns the context of a host, also of a wildcard of its parent; undefined if no certificate fits. */
  contextOf(hostname: string): Promise<SecureContext | undefined>
  /** Returns true if a certificate fits a host. */
  has(hostname: string): boolean
  set(certificates: readonly ServedCertificate[]): void
  remove(hostname: string): void
  /** Removes the certificates of all other hosts: the table is complete from then on. */
  keep(hostnames: readonly string[]): void
  list(): ServedCertificate[]
}

/** Maximum number of parsed certificates in memory, about 30 kB each. The others are parsed again at their next use. */
const maxContexts = 1_000

/** Maximum time that a handshake waits for the daemon to send the certificates to a new gateway. */
const maxWaitMs = 5_000

/**
 * Creates a table whose certificates are parsed at their first use. Calls `onChange` after each change. `kept` are the
 * certificates of a previous gateway; without them, handshakes wait until the table is complete.
 */
export function createCertificates(deps: {
  readonly kept: readonly ServedCertificate[] | undefined
  readonly onChange: () => void
  readonly log: (message: string) => void
}): Certificates {
  const byHost = new Map<string, ServedCertificate>()
  /** Parsed certificates, the longest unused first. */
  const contexts = new Map<ServedCertificate, SecureContext>()
  let complete: () => void = () => {}
  let waiting: Promise<void> | null =
    deps.kept === undefined
      ? new Promise<void>((resolve) => {
          complete = resolve
        })
      : null

  function find(hostname: string): ServedCertificate | undefined {
    const dot = hostname.indexOf('.')
    return byHost.get(hostname) ?? byHost.get(`*${dot === -1 ? '' : hostname.slice(dot)}`)
  }

  function put(certificate: ServedCertificate): void {
    const known = byHost.get(certificate.hostname)
    if (known?.cert === certificate.cert && known.key === certificate.key) return
    forget(certificate.hostname)
    byHost.set(certificate.hostname, certificate)
  }

  function forget(hostname: string): void {
    const known = byHost.get(hostname)
    if (known) contexts.delete(known)
    byHost.delete(hostname)
  }

  function parse(certificate: ServedCertificate): SecureContext | undefined {
    const known = contexts.get(certificate)
    if (known) contexts.delete(certificate)
    try {
      const context = known ?? createSecureContext({ ...certificate, minVersion: 'TLSv1.2' })
      contexts.set(certificate, context)
      const [oldest] = contexts.keys()
      if (contexts.size > maxContexts && oldest) contexts.delete(oldest)
      return context
    } catch (error) {
      // A message of OpenSSL names the fault and has no part of the key.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log(`can't use the certificate of ${certificate.hostname}: ${reason}`)
      return undefined
    }
  }

  deps.kept?.forEach(put)

  return {
    async contextOf(hostname) {
      if (waiting !== null && !find(hostname)) await waitAtMost(waiting, maxWaitMs)
      const certificate = find(hostname)
      return certificate && parse(certificate)
    },
    has: (hostname) => find(hostname) !== undefined,
    set(certificates) {
      certificates.forEach(put)
      deps.onChange()
    },
    remove(hostname) {
      forget(hostname)
      deps.onChange()
    },
    keep(hostnames) {
      const kept = new Set(hostnames)
      for (const hostname of [...byHost.keys()]) if (!kept.has(hostname)) forget(hostname)
      waiting = null
      complete()
      deps.onChange()
    },
    list: () => [...byHost.values()],
  }
}

function waitAtMost(event: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void event.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

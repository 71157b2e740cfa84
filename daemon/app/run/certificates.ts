import { findFileCertificate } from '../../domain/file-certificates.ts'
import { certificateRetryMs } from '../../domain/own-domains.ts'
import type { Domain } from '../../domain/records.ts'
import { CertificateError, DaemonError } from '../../errors.ts'
import type {
  CertificateAuthority,
  CertificateFiles,
  Clock,
  DomainProof,
  Gateway,
  Logger,
  ServedCertificate,
  Store,
  Vault,
} from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import type { Failpoints } from '../ground/failpoints.ts'

/** Gets, renews and reloads the certificates of own domains. */
export interface Certificates {
  /** Sends all certificates to the gateway. */
  begin(): Promise<void>
  /** Starts the loop. */
  start(): void
  stop(): Promise<void>
  /** Looks for domains without a certificate now, not after the interval. */
  signal(): void
  /** Reads changed files, and gets all certificates that are due. Never throws. */
  runOnce(): Promise<void>
  /** Removes the certificates of removed domains from the gateway. */
  forget(domains: readonly string[]): Promise<void>
  /** Returns the end of the life of a domain's certificate; null without a certificate. */
  expiryOf(domain: Domain): number | null
  /** True if an authority is configured. */
  readonly hasAuthority: boolean
}

export interface CertificatesDeps {
  readonly store: Store
  readonly vault: Vault
  readonly gateway: Gateway
  readonly clock: Clock
  readonly logger: Logger
  readonly failpoints: Failpoints
  readonly announce: Announce
  /** Absent if domains need no proof. */
  readonly proof?: DomainProof
  readonly authority?: CertificateAuthority
  readonly files?: CertificateFiles
}

/** Interval of the search for changed files and due certificates. */
const intervalMs = 5_000
/** A round ends after this time, so that a new domain does not wait for a thousand that time out. */
const roundMs = 60_000
/** Maximum time for one certificate. */
const obtainMs = 300_000
/** A domain that does not lead here costs the authority nothing: it is tried again soon. */
const maxProofRetryMs = 15 * 60_000

export function createCertificates(deps: CertificatesDeps): Certificates {
  const { store, vault, gateway, clock, logger, authority, files } = deps
  const stopping = new AbortController()
  let wake = new AbortController()
  let running: Promise<void> = Promise.resolve()

  function coveredBy(domain: string) {
    return findFileCertificate(files?.list() ?? [], domain)
  }

  function open({ domain, certificate }: Domain): readonly ServedCertificate[] {
    if (!certificate) return []
    const key = vault.open(certificate.key).reveal()
    return [{ hostname: domain, cert: certificate.chain, key }]
  }

  /** A name in two certificates has that of the authority, unless a file names exactly this host. */
  async function sendAll(): Promise<void> {
    const all = new Map<string, ServedCertificate>()
    for (const domain of await store.domains.list(null)) {
      for (const served of open(domain)) all.set(served.hostname, served)
    }
    for (const { hostnames, cert, key } of files?.list() ?? []) {
      for (const hostname of hostnames) all.set(hostname, { hostname, cert, key: key.reveal() })
    }
    await gateway.replaceCertificates([...all.values()])
  }

  async function obtain({ domain }: Domain, signal: AbortSignal) {
    const fault = await deps.proof?.faultOf(domain, signal)
    if (fault !== undefined)
      throw new ProofError(`${domain} does not lead to this server: ${fault}`)
    if (!authority) throw new CertificateError('no certificate authority is configured')
    return authority.obtain(domain, signal)
  }

  async function issue(domain: Domain): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(obtainMs)])
    try {
      const { chain, key, notBefore, notAfter } = await obtain(domain, signal)
      await deps.failpoints.hit('certificate:obtained')
      const certificate = { chain, key: vault.seal(key), notBefore, notAfter }
      const changes = { certificate, fault: null, failures: 0, tryAfter: 0 }
      const stored = await change(domain, changes, 'certificate_issued', [
        `${domain.domain} has a certificate until ${new Date(notAfter).toISOString()}`,
      ])
      if (stored)
        await gateway.setCertificate({ hostname: domain.domain, cert: chain, key: key.reveal() })
    } catch (error) {
      if (!stopping.signal.aborted) await recordFailure(domain, error)
    }
  }

  async function recordFailure(domain: Domain, error: unknown): Promise<void> {
    const fault = faultText(error)
    const failures = domain.failures + 1
    const demanded = error instanceof CertificateError ? error.retryAfterMs : 0
    const delay = certificateRetryMs(failures, demanded)
    const ms = error instanceof ProofError ? Math.min(delay, maxProofRetryMs) : delay
    const changes = { fault, failures, tryAfter: clock.now() + ms }
    // The audit shows the first of consecutive failures; the domain shows the newest.
    const details =
      domain.failures === 0 ? [`${domain.domain} has no new certificate: ${fault}`] : []
    await change(domain, changes, 'certificate_failed', details)
    logger.warn({ domain: domain.domain, fault, failures }, 'could not get a certificate')
  }

  /** Changes a domain. Returns false if the domain was removed meanwhile. */
  function change(
    { id, projectId, domain }: Domain,
    changes: Parameters<Store['domains']['update']>[1],
    kind: 'certificate_issued' | 'certificate_failed',
    details: readonly string[],
  ): Promise<boolean> {
    return store.transaction(async (tx) => {
      if (!(await tx.domains.update(id, changes))) return false
      for (const detail of details) {
        await tx.audit.write(auditRow(kind, { projectId }, detail, daemonActor, clock.now()))
        if (kind === 'certificate_issued') continue
        await deps.announce(tx, { kind: 'certificate.failed', projectId, domain, message: detail })
      }
      return true
    })
  }

  async function runOnce(): Promise<void> {
    try {
      if (await files?.refresh()) await sendAll()
      if (!authority) return
      const endsAt = clock.now() + roundMs
      for (const domain of await store.domains.listDue(clock.now())) {
        if (stopping.signal.aborted || clock.now() >= endsAt) return
        if (!coveredBy(domain.domain)) await issue(domain)
      }
    } catch (err) {
      logger.error({ err }, 'could not look for certificates')
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController()
      await runOnce()
      const signal = AbortSignal.any([stopping.signal, wake.signal])
      await clock.wait(intervalMs, signal).catch(() => {})
    }
  }

  return {
    hasAuthority: authority !== undefined,
    async begin() {
      await files?.refresh()
      await sendAll()
    },
    start() {
      if (authority || files) running = loop()
    },
    async stop() {
      stopping.abort(new DaemonError('unavailable', 'the daemon stops'))
      await running
    },
    signal: () => wake.abort(new Error('a domain was added')),
    runOnce,
    async forget(domains) {
      for (const domain of domains) {
        // A certificate of a file stays: it may belong to other names, too.
        const covered = (files?.list() ?? []).some(({ hostnames }) => hostnames.includes(domain))
        if (!covered) await gateway.removeCertificate(domain)
      }
    },
    expiryOf: ({ domain, certificate }) =>
      coveredBy(domain)?.notAfter ?? certificate?.notAfter ?? null,
  }
}

/** The domain leads elsewhere, so that the authority was not asked. */
class ProofError extends Error {}

function faultText(error: unknown): string {
  if (error instanceof CertificateError || error instanceof ProofError) return error.message
  return 'the daemon could not get a certificate: its log has the reason'
}

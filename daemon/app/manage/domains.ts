import {
  type DnsRecord,
  domainState,
  normalizeDomain,
  recordsOf,
  renewalAt,
} from '../../domain/own-domains.ts'
import type { Domain } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, DomainProof, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import { findProject } from '../ground/find-project.ts'
import type { Actor, DomainUseCases, DomainView } from '../ground/use-cases.ts'
import type { Certificates } from '../run/certificates.ts'
import type { Routing } from '../run/routing.ts'

/** Bounds the routes and the orders for certificates of one project. */
const maxDomainsPerProject = 1_000

export interface DomainsDeps {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly routing: Pick<Routing, 'refreshDomain'>
  readonly certificates: Certificates
  /** Absent: domains are registered without a proof. */
  readonly proof?: DomainProof
  readonly baseDomain: string
  /** Public addresses of this server. */
  readonly publicAddresses: readonly string[]
}

/** Use cases of the own domains of projects. */
export function createDomains(deps: DomainsDeps): DomainUseCases {
  const { store, clock, routing, certificates, baseDomain } = deps

  function normalize(text: string): string {
    const result = normalizeDomain(text, baseDomain)
    if ('fault' in result) throw new DaemonError('bad-request', result.fault)
    return result.domain
  }

  /** Returns the records of a domain. Without known addresses it is an alias of a host name of its project. */
  async function recordsFor(projectId: number, domain: string): Promise<DnsRecord[]> {
    const live = await store.environments.listLive({ projectId })
    const isLocal = baseDomain === 'localhost' || baseDomain.endsWith('.localhost')
    const hostname = isLocal ? null : (live[0]?.hostname ?? null)
    return recordsOf(domain, { addresses: deps.publicAddresses, hostname })
  }

  async function requireProof(projectId: number, domain: string): Promise<void> {
    const fault = await deps.proof?.faultOf(domain, AbortSignal.timeout(proofMs))
    if (fault === undefined) return
    const records = await recordsFor(projectId, domain)
    throw new DaemonError(
      'unprocessable',
      `${domain} does not lead to this server yet: ${fault}. ${adviceOf(domain, records)}`,
      { details: { fault, dns: records } },
    )
  }

  /** Returns the existing record if the name is registered for this project. */
  async function findOwn(projectId: number, domain: string): Promise<Domain | undefined> {
    const known = await store.domains.find(domain)
    if (known && known.projectId !== projectId) throw takenError(domain)
    return known
  }

  async function insert(
    input: { projectId: number; domain: string; branch: string | null },
    actor: Actor,
  ): Promise<Domain> {
    const { projectId, domain, branch } = input
    return store.transaction(async (tx) => {
      await findProject(tx, projectId)
      const at = clock.now()
      const added = await tx.domains.add({ ...input, createdAt: at })
      if (added.projectId !== projectId) throw takenError(domain)
      const stored =
        added.branch === branch ? added : ((await tx.domains.update(added.id, { branch })) ?? added)
      const detail = `${domain} leads to ${branch ?? 'the default branch'}`
      const subject = branch === null ? { projectId } : { projectId, branch }
      await tx.audit.write(auditRow('domain_added', subject, detail, actor, at))
      return stored
    })
  }

  async function view(domain: Domain): Promise<DomainView> {
    const now = clock.now()
    const expiresAt = certificates.expiryOf(domain)
    const { hasAuthority } = certificates
    const isOwnCertificate = expiresAt !== null && expiresAt === domain.certificate?.notAfter
    return {
      domain,
      state: domainState({ fault: domain.fault, expiresAt, now, hasAuthority }),
      expiresAt,
      renewsAt: isOwnCertificate && domain.certificate ? renewalAt(domain.certificate) : null,
      records: await recordsFor(domain.projectId, domain.domain),
    }
  }

  /** Times of the retries that asked the authority, by the id of the domain. */
  const retriedAt = new Map<number, number>()

  /** Throws `throttled` if the authority was asked a short time ago: it limits failures, and then refuses for hours. */
  function limitRetries(id: number): void {
    const now = clock.now()
    for (const [other, at] of retriedAt) if (now - at >= retryPauseMs) retriedAt.delete(other)
    const last = retriedAt.get(id)
    if (last !== undefined) {
      const seconds = Math.ceil((last + retryPauseMs - now) / 1000)
      throw new DaemonError(
        'throttled',
        `the authority was asked a moment ago and limits failures: try again in ${Math.ceil(seconds / 60)} min`,
        { details: { retry_after: seconds } },
      )
    }
    retriedAt.set(id, now)
  }

  return {
    async list(projectId) {
      await findProject(store, projectId)
      return Promise.all((await store.domains.list(projectId)).map(view))
    },

    async add({ projectId, domain: text, branch }, actor) {
      await findProject(store, projectId)
      const domain = normalize(text)
      const known = await findOwn(projectId, domain)
      if (known && known.branch === branch) return view(known)
      if (!known) {
        if ((await store.domains.list(projectId)).length >= maxDomainsPerProject) {
          throw new DaemonError(
            'conflict',
            `a project has at most ${maxDomainsPerProject} domains: remove one first`,
          )
        }
        await requireProof(projectId, domain)
      }
      const added = await insert({ projectId, domain, branch }, actor)
      await routing.refreshDomain(domain)
      certificates.signal()
      return view(added)
    },

    async retry(projectId, text) {
      await findProject(store, projectId)
      const domain = normalize(text)
      const known = await store.domains.find(domain)
      if (known?.projectId !== projectId) {
        throw new DaemonError('not-found', `project ${projectId} has no domain ${domain}`)
      }
      const shown = await view(known)
      if (shown.state !== 'trouble') return shown
      await requireProof(projectId, domain)
      limitRetries(known.id)
      const due = (await store.domains.update(known.id, { tryAfter: 0 })) ?? known
      certificates.signal()
      return view(due)
    },

    async remove(projectId, text, actor) {
      await findProject(store, projectId)
      const domain = normalize(text)
      await store.transaction(async (tx) => {
        const known = await tx.domains.find(domain)
        if (known?.projectId !== projectId) {
          throw new DaemonError('not-found', `project ${projectId} has no domain ${domain}`)
        }
        await tx.domains.remove(known.id)
        const detail = `${domain} was removed`
        await tx.audit.write(auditRow('domain_removed', { projectId }, detail, actor, clock.now()))
      })
      await routing.refreshDomain(domain)
      await certificates.forget([domain])
    },
  }
}

const proofMs = 30_000
/** Authorities allow about five failures per name and hour. */
const retryPauseMs = 12 * 60_000

function takenError(domain: string): DaemonError {
  return new DaemonError('conflict', `${domain} belongs to another project: remove it there first`)
}

function adviceOf(domain: string, records: readonly DnsRecord[]): string {
  if (records.length === 0) {
    return `Set an A record of ${domain} to the public address of this server, and try again`
  }
  const texts = records.map(({ type, name, value }) => `${type} ${name} ${value}`)
  return `Set this at your DNS provider, and try again in some minutes: ${texts.join(', ')}`
}

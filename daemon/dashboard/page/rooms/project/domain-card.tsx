import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Domain } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { roleNeed } from '../../state/rights.ts'
import { forgetWaiting, type WaitingDomain } from '../../state/waiting-domains.ts'
import { asSentence } from '../../text/error-text.ts'
import { absoluteText } from '../../text/format.ts'
import { DnsRecords } from './dns-records.tsx'
import { dnsRefusalOf, requestDomain, retryDomain } from './request-domain.ts'

/** A registered domain: its state with the reason, its certificate, and what to do. `children` are its buttons. */
export function DomainCard({
  domain,
  projectId,
  children,
}: {
  domain: Domain
  projectId: number
  children: ComponentChildren
}): JSX.Element {
  const { certificate, fault } = domain
  const scheme = certificate ? 'https' : 'http'
  return (
    <article class="domain">
      <header>
        <a href={`${scheme}://${domain.domain}/`} target="_blank" rel="noreferrer">
          {domain.domain}
        </a>
        <StateOf domain={domain} />
        <div class="row">{children}</div>
      </header>
      <p class="note">
        {domain.branch === null ? (
          'Default branch'
        ) : (
          <>
            Branch <Name>{domain.branch}</Name>
          </>
        )}
        {certificate && `, certificate until ${absoluteText(Date.parse(certificate.expires_at))}`}
        {certificate?.renews_at &&
          `, renewed on ${absoluteText(Date.parse(certificate.renews_at))}`}
        {certificate && certificate.renews_at === null && ', from a file of the operator'}
      </p>
      {domain.state === 'pending' && <p>The certificate comes within minutes.</p>}
      {domain.state === 'trouble' && (
        <>
          <p class="domain-fault">
            {/* A fault may start with a host name, which keeps its case. */}
            <Name>{fault ?? 'The certificate has expired.'}</Name>
          </p>
          {isWaitingForDns(domain) && <DnsRecords domain={domain.domain} records={domain.dns} />}
          <Retry projectId={projectId} onRetry={() => retryDomain(projectId, domain.domain)}>
            {domain.next_try_at !== null && (
              // No point: a time such as `in 15 min.` ends with its own.
              <>
                The daemon tries again <RelativeTime at={domain.next_try_at} />
              </>
            )}
          </Retry>
        </>
      )}
    </article>
  )
}

/** A domain that the daemon has refused, because it does not lead to this server yet. */
export function WaitingDomainCard({ waiting }: { waiting: WaitingDomain }): JSX.Element {
  const { projectId, domain, branch, fault, records, at } = waiting
  return (
    <article class="domain">
      <header>
        <Name mono>{domain}</Name>
        <Badge tone="warn" text="Waiting for DNS" />
        <div class="row">
          <Button tone="quiet" onClick={() => forgetWaiting(projectId, domain)}>
            Forget<span class="visually-hidden"> {domain}</span>
          </Button>
        </div>
      </header>
      <p class="note">
        {branch === '' ? (
          'For the default branch'
        ) : (
          <>
            For branch <Name>{branch}</Name>
          </>
        )}
        . It is added once the name leads to this server. This page keeps it until it is reloaded.
      </p>
      <p class="domain-fault">
        <Name>{asSentence(fault)}</Name>
      </p>
      <DnsRecords domain={domain} records={records} />
      <Retry projectId={projectId} onRetry={() => requestDomain({ projectId, domain, branch })}>
        Tried <RelativeTime at={new Date(at).toISOString()} />.
      </Retry>
    </article>
  )
}

/** Tries again now. A domain that still does not lead here changes the text around the button, and other errors show. */
function Retry({
  projectId,
  onRetry,
  children,
}: {
  projectId: number
  onRetry: () => Promise<void>
  /** Says when the last or the next try is. */
  children: ComponentChildren
}): JSX.Element {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)

  async function retry(): Promise<void> {
    setBusy(true)
    setError(undefined)
    await onRetry().catch(setError)
    setBusy(false)
  }

  const dns = dnsRefusalOf(error)
  return (
    <>
      <div class="row">
        <Button
          icon="refresh"
          isBusy={isBusy}
          needs={roleNeed('maintainer', projectId)}
          onClick={() => void retry()}
        >
          Try again now
        </Button>
        <span class="note" role="status">
          {dns === undefined ? children : `Still waiting: ${dns.fault}.`}
        </span>
      </div>
      {error !== undefined && dns === undefined && <ErrorNote error={error} />}
    </>
  )
}

function StateOf({ domain }: { domain: Domain }): JSX.Element {
  switch (domain.state) {
    case 'http':
      return <Badge tone="rest" text="HTTP only" />
    case 'pending':
      return <Badge tone="warn" text="Getting a certificate" />
    case 'secure':
      return <Badge tone="good" text="HTTPS" />
    case 'trouble':
      return isWaitingForDns(domain) ? (
        <Badge tone="warn" text="Waiting for DNS" />
      ) : (
        <Badge tone="bad" text="Trouble" />
      )
  }
}

function isWaitingForDns({ state, fault }: Domain): boolean {
  return state === 'trouble' && (fault?.includes('does not lead to this server') ?? false)
}

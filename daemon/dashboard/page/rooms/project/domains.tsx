import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Domain, Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { absoluteText } from '../../text/format.ts'
import { AddDomain } from './add-domain.tsx'
import { DnsRecords } from './dns-records.tsx'

/** The own domains of a project with their certificates. */
export function Domains({
  project,
  branches,
}: {
  project: Project
  branches: readonly string[]
}): JSX.Element {
  const { id } = project
  const needs = roleNeed('maintainer', id)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Domain | undefined>(undefined)
  const domains = useData(
    `domains/${id}`,
    async (signal) => (await api.call('listDomains', { params: { id } }, { signal })).body,
    ['domains', 'projects'],
  )
  const addButton = (
    <Button tone="primary" icon="plus" needs={needs} onClick={() => setAdding(true)}>
      Add a domain
    </Button>
  )
  return (
    <Section
      title="Domains"
      note="Visitors reach a branch at these names, beside its address below the base domain."
      actions={domains.data && domains.data.length > 0 ? addButton : undefined}
    >
      {!domains.data && domains.error === undefined && <Skeleton kind="rows" rows={3} />}
      {!domains.data && domains.error !== undefined && (
        <ErrorState error={domains.error} onRetry={domains.reload} />
      )}
      {domains.data?.length === 0 && (
        <EmptyState icon="external" title="No domains of your own" actions={addButton}>
          Point a name such as shop.example.com to this server, and add it here.
        </EmptyState>
      )}
      <ul class="domains" aria-label="Domains">
        {domains.data?.map((domain) => (
          <li key={domain.id}>
            <DomainCard domain={domain}>
              <Button tone="quiet" needs={needs} onClick={() => setRemoved(domain)}>
                Remove<span class="visually-hidden"> {domain.domain}</span>
              </Button>
            </DomainCard>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddDomain projectId={id} branches={branches} onClose={() => setAdding(false)} />
      )}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.domain}?`}
          effects={[
            'Visitors of this name get a 404 at once.',
            'The daemon deletes its certificate, and another project may register the name.',
            'The branch and its other addresses stay.',
          ]}
          verb="Remove"
          tone="danger"
          onConfirm={async () => {
            await api.call('removeDomain', { params: { id }, query: { domain: removed.domain } })
            reportChange('domains', 'audit')
            showToast(`${removed.domain} is removed.`, { tone: 'good' })
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

function DomainCard({ domain, children }: { domain: Domain; children: JSX.Element }): JSX.Element {
  const { certificate, fault } = domain
  const scheme = certificate ? 'https' : 'http'
  return (
    <article class="domain">
      <header>
        <a href={`${scheme}://${domain.domain}/`} target="_blank" rel="noreferrer">
          {domain.domain}
        </a>
        <StateOf state={domain.state} />
        {children}
      </header>
      <p class="note">
        {domain.branch === null ? 'Default branch' : `Branch ${domain.branch}`}
        {certificate && `, certificate until ${absoluteText(Date.parse(certificate.expires_at))}`}
        {certificate?.renews_at &&
          `, renewed on ${absoluteText(Date.parse(certificate.renews_at))}`}
        {certificate && certificate.renews_at === null && ', from a file of the operator'}
      </p>
      {domain.state === 'pending' && <p>The certificate comes within minutes.</p>}
      {domain.state === 'trouble' && (
        <>
          <p class="domain-fault">{fault ?? 'The certificate has expired.'}</p>
          {domain.next_try_at && (
            <p class="note">
              The daemon tries again on {absoluteText(Date.parse(domain.next_try_at))}.
            </p>
          )}
          {fault?.includes('does not lead to this server') && (
            <DnsRecords domain={domain.domain} records={domain.dns} />
          )}
        </>
      )}
    </article>
  )
}

function StateOf({ state }: Pick<Domain, 'state'>): JSX.Element {
  switch (state) {
    case 'http':
      return <Badge tone="rest" text="HTTP only" />
    case 'pending':
      return <Badge tone="warn" text="Getting a certificate" />
    case 'secure':
      return <Badge tone="good" text="HTTPS" />
    case 'trouble':
      return <Badge tone="bad" text="Trouble" />
  }
}

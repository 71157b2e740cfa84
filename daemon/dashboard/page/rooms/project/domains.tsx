import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Domain, Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { useReload } from '../../state/use-reload.ts'
import { waitingDomains } from '../../state/waiting-domains.ts'
import { AddDomain } from './add-domain.tsx'
import { DomainCard, WaitingDomainCard } from './domain-card.tsx'

/** A later failure of a certificate has no event. */
const reloadMs = 15_000

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
  useReload(domains.reload, reloadMs)
  const waiting = waitingDomains.value.filter(({ projectId }) => projectId === id)
  const isEmpty = domains.data?.length === 0 && waiting.length === 0
  const addButton = (
    <Button tone="primary" icon="plus" needs={needs} onClick={() => setAdding(true)}>
      Add a domain
    </Button>
  )
  return (
    <Section
      title="Domains"
      note="Visitors reach a branch at these names, beside its address below the base domain."
      actions={isEmpty ? undefined : addButton}
    >
      {!domains.data && domains.error === undefined && <Skeleton kind="rows" rows={3} />}
      {!domains.data && domains.error !== undefined && (
        <ErrorState error={domains.error} onRetry={domains.reload} />
      )}
      {isEmpty && (
        <EmptyState icon="external" title="No domains of your own" actions={addButton}>
          Point a name such as shop.example.com to this server, and add it here.
        </EmptyState>
      )}
      <ul class="domains" aria-label="Domains">
        {domains.data?.map((domain) => (
          <li key={domain.id}>
            <DomainCard domain={domain} projectId={id}>
              <Button tone="quiet" needs={needs} onClick={() => setRemoved(domain)}>
                Remove<span class="visually-hidden"> {domain.domain}</span>
              </Button>
            </DomainCard>
          </li>
        ))}
        {waiting.map((each) => (
          <li key={each.domain}>
            <WaitingDomainCard waiting={each} />
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

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project, Statuses } from '../../../../client/contract.ts'
import { ResponseError } from '../../../../client/errors.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { useReload } from '../../state/use-reload.ts'
import { DeliveryNote, DeliveryState } from './notification-card.tsx'
import { statusHosts } from './notification-texts.ts'
import { SetStatuses } from './set-statuses.tsx'

/** A delivery has no event of its own. */
const reloadMs = 15_000

/** The git host that shows the deploys of a project beside their commits. */
export function CommitStatuses({ project: { id } }: { project: Project }): JSX.Element {
  const [dialog, setDialog] = useState<'set' | 'off' | undefined>(undefined)
  const { data, error, reload } = useData(`statuses/${id}`, (signal) => findStatuses(id, signal), [
    'projects',
  ])
  useReload(reload, reloadMs)
  const needs = roleNeed('maintainer', id)
  const set = data?.statuses
  const close = () => setDialog(undefined)
  return (
    <Section
      kind="card"
      title="Commit statuses"
      note="Your git host shows each deploy beside its commit: pending, success or failure."
      actions={
        data && (
          <>
            <Button needs={needs} onClick={() => setDialog('set')}>
              {set ? 'Replace' : 'Connect a git host'}
            </Button>
            {set && (
              <Button tone="quiet" needs={needs} onClick={() => setDialog('off')}>
                Disconnect
              </Button>
            )}
          </>
        )
      }
    >
      {!data && error === undefined && <Skeleton kind="rows" rows={1} />}
      {!data && error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {set && <StatusesFacts statuses={set} />}
      {dialog === 'set' && <SetStatuses projectId={id} current={set} onClose={close} />}
      {dialog === 'off' && (
        <ConfirmDialog
          title="Disconnect the git host?"
          effects={[
            'Deploys show no more beside their commits. Statuses that were sent stay.',
            'The daemon deletes the API token.',
          ]}
          verb="Disconnect"
          tone="danger"
          onConfirm={async () => {
            await api.call('removeStatuses', { params: { id } })
            reportChange('projects', 'audit')
            showToast('The git host is disconnected.', { tone: 'good' })
          }}
          onClose={close}
        />
      )}
    </Section>
  )
}

function StatusesFacts({ statuses }: { statuses: Statuses }): JSX.Element {
  return (
    <div class="statuses">
      <p>
        {statusHosts[statuses.host].title} <Name mono>{statuses.repository}</Name>{' '}
        <DeliveryState delivery={statuses} />
      </p>
      <p class="note">
        <Name mono>{statuses.api_url}</Name>
      </p>
      <DeliveryNote delivery={statuses} />
    </div>
  )
}

/** The API answers 404 if no host is connected. */
async function findStatuses(
  id: number,
  signal: AbortSignal,
): Promise<{ readonly statuses: Statuses | undefined }> {
  try {
    return { statuses: (await api.call('findStatuses', { params: { id } }, { signal })).body }
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return { statuses: undefined }
    throw error
  }
}

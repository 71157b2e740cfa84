import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Notification, Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
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
import { AddNotification } from './add-notification.tsx'
import { CommitStatuses } from './commit-statuses.tsx'
import { NotificationCard } from './notification-card.tsx'

/** A delivery has no event of its own. */
const reloadMs = 15_000

/** The webhooks that get the events of a project, and the git host that shows its deploys. */
export function Notifications({ project }: { project: Project }): JSX.Element {
  return (
    <>
      <Receivers project={project} />
      <CommitStatuses project={project} />
    </>
  )
}

function Receivers({ project: { id } }: { project: Project }): JSX.Element {
  const needs = roleNeed('maintainer', id)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Notification | undefined>(undefined)
  // The new key is shown until the room closes: the daemon never gives it out again.
  const [added, setAdded] = useState<{ id: number; key: string } | undefined>(undefined)
  const { data, error, reload } = useData(
    `notifications/${id}`,
    async (signal) => (await api.call('listNotifications', { params: { id } }, { signal })).body,
    ['projects'],
  )
  useReload(reload, reloadMs)
  const addButton = (
    <Button tone="primary" icon="plus" needs={needs} onClick={() => setAdding(true)}>
      Add a receiver
    </Button>
  )
  return (
    <Section
      title="Notifications"
      note="The daemon sends signed messages to these URLs, for example when a deploy fails."
      actions={data && data.length > 0 ? addButton : undefined}
    >
      {!data && error === undefined && <Skeleton kind="rows" rows={2} />}
      {!data && error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {data?.length === 0 && (
        <EmptyState icon="external" title="No receiver of notifications" actions={addButton}>
          Give the URL of a chat, an alarm or a program of your own that takes webhooks.
        </EmptyState>
      )}
      <ul class="domains" aria-label="Receivers of notifications">
        {data?.map((receiver) => (
          <li key={receiver.id}>
            <NotificationCard
              receiver={receiver}
              projectId={id}
              onTested={reload}
              onRemove={() => setRemoved(receiver)}
            >
              {added?.id === receiver.id && (
                <>
                  <p>Signing key: copy it now, the daemon does not show it again.</p>
                  <CopyLine label="the signing key" text={added.key} />
                </>
              )}
            </NotificationCard>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddNotification
          projectId={id}
          onAdded={(receiver) => setAdded({ id: receiver.id, key: receiver.signing_key })}
          onClose={() => setAdding(false)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title="Remove the receiver?"
          effects={[
            'It gets no more messages, and those that wait are dropped.',
            'Its signing key is deleted for good.',
          ]}
          verb="Remove"
          tone="danger"
          onConfirm={async () => {
            const params = { id, notification: removed.id }
            await api.call('removeNotification', { params })
            reportChange('projects', 'audit')
            showToast('The receiver is removed.', { tone: 'good' })
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

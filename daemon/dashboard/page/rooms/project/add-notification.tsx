import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Notification } from '../../../../client/contract.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Checkbox, Field } from '../../components/field.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { eventTexts, type ProjectEvent, projectEvents } from './notification-texts.ts'

/** The dialog that registers a URL for events of a project. */
export function AddNotification({
  projectId,
  onAdded,
  onClose,
}: {
  projectId: number
  onAdded: (receiver: Notification & { readonly signing_key: string }) => void
  onClose: () => void
}): JSX.Element {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly ProjectEvent[]>(projectEvents)
  const toggle = (event: ProjectEvent, isTicked: boolean) =>
    setEvents(projectEvents.filter((each) => (each === event ? isTicked : events.includes(each))))
  return (
    <ConfirmDialog
      title="Add a receiver"
      effects={[
        'The daemon sends a message for each of these events.',
        'The key that signs the messages is shown once.',
      ]}
      verb="Add"
      isAnswered={url.trim() !== '' && events.length > 0}
      onConfirm={async () => {
        const body = { url: url.trim(), events: [...events] }
        onAdded((await api.call('addNotification', { params: { id: projectId }, body })).body)
        reportChange('projects', 'audit')
      }}
      onClose={onClose}
    >
      <Field
        label="URL"
        value={url}
        onInput={setUrl}
        placeholder="https://ops.example.com/strata"
        hint="It must be public and use https, unless the operator trusts the host."
        isMono
        isRequired
        isFocusedFirst
      />
      <fieldset class="event-choices">
        <legend>Send a message when</legend>
        {projectEvents.map((event) => (
          <Checkbox
            key={event}
            label={eventTexts[event]}
            isTicked={events.includes(event)}
            onChange={(isTicked) => toggle(event, isTicked)}
          />
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

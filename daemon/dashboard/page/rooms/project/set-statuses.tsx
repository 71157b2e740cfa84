import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Statuses } from '../../../../client/contract.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Field, Select } from '../../components/field.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { statusHosts } from './notification-texts.ts'

// The cast holds: the record has exactly these keys.
const hosts = Object.keys(statusHosts) as Statuses['host'][]

/** The dialog that connects a git host with its API token. */
export function SetStatuses({
  projectId,
  current,
  onClose,
}: {
  projectId: number
  current: Statuses | undefined
  onClose: () => void
}): JSX.Element {
  const [host, setHost] = useState<Statuses['host']>(current?.host ?? 'github')
  const [token, setToken] = useState('')
  const [apiUrl, setApiUrl] = useState(current?.api_url ?? '')
  const [repository, setRepository] = useState(current?.repository ?? '')
  return (
    <ConfirmDialog
      title="Connect a git host"
      effects={[
        'Each deploy from now on sets the status of its commit.',
        'The daemon keeps the token encrypted. Nobody can read it again.',
      ]}
      verb="Connect"
      isAnswered={token.trim() !== ''}
      onConfirm={async () => {
        const body = {
          host,
          token: token.trim(),
          ...(apiUrl.trim() !== '' && { api_url: apiUrl.trim() }),
          ...(repository.trim() !== '' && { repository: repository.trim() }),
        }
        await api.call('setStatuses', { params: { id: projectId }, body })
        reportChange('projects', 'audit')
        showToast(`${statusHosts[host].title} is connected.`, { tone: 'good' })
      }}
      onClose={onClose}
    >
      <Select
        label="Git host"
        value={host}
        options={hosts.map((value) => ({ value, text: statusHosts[value].title }))}
        onChange={(chosen) => {
          setHost(chosen)
          // The address of another host would get this host's token.
          if (chosen !== host) setApiUrl('')
        }}
      />
      <Field
        label="API token"
        type="password"
        autocomplete="new-password"
        value={token}
        onInput={setToken}
        hint={statusHosts[host].right}
        isMono
        isRequired
        isFocusedFirst
      />
      <Field
        label="Repository"
        value={repository}
        onInput={setRepository}
        placeholder="acme/shop"
        hint="Empty: from the remote of the project."
        isMono
      />
      <Field
        label="API address"
        value={apiUrl}
        onInput={setApiUrl}
        placeholder="https://git.example.com/api/v1"
        hint="Empty: from the remote of the project."
        isMono
      />
    </ConfirmDialog>
  )
}

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { Section } from '../../components/section.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { session } from '../../state/session.ts'
import { showToast } from '../../state/toasts.ts'
import { type WebhookHost, webhookHosts } from './webhook-hosts.ts'

/** The webhook secret of a project, and the lines to fill in at each git host. */
export function Webhooks({ project }: { project: Project }): JSX.Element {
  const [host, setHost] = useState<WebhookHost['id']>('github')
  const chosen = webhookHosts.find(({ id }) => id === host) ?? webhookHosts[0]
  // The new secret is shown until the room closes: the daemon never gives it out again.
  const [secret, setSecret] = useState<string | undefined>(undefined)
  return (
    <>
      <WebhookSecret project={project} secret={secret} onCreate={setSecret} />
      <Section
        kind="card"
        title="Add the webhook at your git host"
        note="Each push to the repository then deploys its branch."
      >
        <Tabs
          label="Git host"
          tabs={webhookHosts.map(({ id, title }) => ({ id, text: title }))}
          selected={host}
          onSelect={setHost}
        >
          {chosen && <HostLines host={chosen} secret={secret} />}
        </Tabs>
      </Section>
    </>
  )
}

function HostLines({
  host,
  secret,
}: {
  host: WebhookHost
  secret: string | undefined
}): JSX.Element {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
  return (
    <>
      <p class="muted">
        Open <strong>{host.way}</strong> of the repository and fill in:
      </p>
      <dl class="lines">
        <div>
          <dt>{host.urlLabel}</dt>
          <dd>
            <CopyLine
              label={host.urlLabel}
              text={`${location.origin}/api/v1/webhooks/${host.id}`}
            />
            {isLocal && (
              <p class="note">
                The git host must reach this address: replace {location.host} by the public address
                of the daemon.
              </p>
            )}
          </dd>
        </div>
        <div>
          <dt>{host.secretLabel}</dt>
          <dd>
            {secret === undefined ? (
              'the webhook secret of this project, or the global one'
            ) : (
              <CopyLine label={host.secretLabel} text={secret} />
            )}
          </dd>
        </div>
        {host.fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function WebhookSecret({
  project,
  secret,
  onCreate,
}: {
  project: Project
  secret: string | undefined
  onCreate: (secret: string | undefined) => void
}): JSX.Element {
  const { id, has_webhook_secret: hasOwn } = project
  const [dialog, setDialog] = useState<'create' | 'delete' | undefined>(undefined)
  const current = session.value
  const hasGlobal = current.kind === 'signed-in' && current.setup.webhook_secret_configured
  const needs = roleNeed('maintainer', id)
  const close = () => setDialog(undefined)
  return (
    <Section
      kind="card"
      title="Secret"
      note={secretNote(hasOwn, hasGlobal)}
      actions={
        <>
          <Button needs={needs} onClick={() => setDialog('create')}>
            {hasOwn ? 'Replace the secret' : 'Create a secret'}
          </Button>
          {hasOwn && (
            <Button tone="quiet" needs={needs} onClick={() => setDialog('delete')}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {secret !== undefined && (
        <>
          <CopyLine label="the webhook secret" text={secret} />
          <p class="note">Copy it now: the daemon does not show it again.</p>
        </>
      )}
      {dialog === 'create' && (
        <ConfirmDialog
          title={hasOwn ? 'Replace the webhook secret?' : 'Create a webhook secret?'}
          effects={
            hasOwn
              ? [
                  'The previous secret is invalid at once: its webhooks answer 401.',
                  'The new secret is shown once. Enter it at the git host.',
                ]
              : [
                  'The secret is valid for this project only, beside the global one.',
                  'It is shown once. Enter it at the git host.',
                ]
          }
          verb={hasOwn ? 'Replace' : 'Create'}
          onConfirm={async () => {
            const { body } = await api.call('createWebhookSecret', { params: { id } })
            onCreate(body.webhook_secret)
            reportChange('projects', 'audit')
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete the webhook secret?"
          effects={[
            'Webhooks that use it answer 401 from now on.',
            hasGlobal
              ? 'Webhooks with the global secret keep working.'
              : 'No push deploys this project until it has a secret again.',
          ]}
          verb="Delete"
          tone="danger"
          onConfirm={async () => {
            await api.call('removeWebhookSecret', { params: { id } })
            onCreate(undefined)
            reportChange('projects', 'audit')
            showToast('The webhook secret is deleted.', { tone: 'good' })
          }}
          onClose={close}
        />
      )}
    </Section>
  )
}

function secretNote(hasOwn: boolean, hasGlobal: boolean): string {
  if (hasOwn) return 'This project has a secret of its own.'
  return hasGlobal
    ? 'The global secret is valid. A secret of its own lets only this project be deployed with it.'
    : 'No secret exists: webhooks are refused until you create one.'
}
